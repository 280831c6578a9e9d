import { useEffect, useEffectEvent } from "react";

/**
 * Calls `then` when a link to another page of the site is pressed: what would open another page in a
 * moment, as a search that waits for the visitor to rest, would call that off. The router says that it is
 * under way too, but in its own time.
 */
export function useLeaving(then: () => void): void {
  const pressed = useEffectEvent((event: MouseEvent) => {
    const link =
      event.target instanceof Element && event.target.closest<HTMLAnchorElement>("a[href]");
    const opensBeside = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
    // A pin on the map opens its home's card.
    if (!link || opensBeside || link.target || link.ariaHasPopup) return;
    // A number to call or a part of this page leaves it where it is.
    if (link.origin === location.origin && link.pathname !== location.pathname) then();
  });
  useEffect(() => {
    const listener = (event: MouseEvent) => pressed(event);
    document.addEventListener("click", listener, true);
    return () => document.removeEventListener("click", listener, true);
  }, []);
}
