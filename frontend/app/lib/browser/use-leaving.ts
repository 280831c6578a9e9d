import { useEffect, useEffectEvent } from "react";
import { isPlainClick } from "./is-plain-click.ts";

/**
 * Calls `then` when a link to another page of the site is clicked, so that a delayed navigation, such as a
 * search that waits until the visitor stops typing, can be cancelled. The router reports its navigation too,
 * but later.
 */
export function useLeaving(then: () => void): void {
  const onClick = useEffectEvent((event: MouseEvent) => {
    const link =
      event.target instanceof Element && event.target.closest<HTMLAnchorElement>("a[href]");
    // A pin on the map (which has a popup) opens its home's card.
    if (!link || !isPlainClick(event) || link.target || link.ariaHasPopup) return;
    // A phone number or a fragment of this page does not leave it.
    if (link.origin === location.origin && link.pathname !== location.pathname) then();
  });
  useEffect(() => {
    const listener = (event: MouseEvent) => onClick(event);
    document.addEventListener("click", listener, true);
    return () => document.removeEventListener("click", listener, true);
  }, []);
}
