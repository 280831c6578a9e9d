import { useRef } from "react";
import { useLocation, useNavigationType } from "react-router";
import { useNavigated } from "#app/lib/browser/use-navigated.ts";

/**
 * Moves the focus to the beginning of the content after a navigation, if the link that was followed is
 * gone, or is still focused in the footer or the text. A link in a menu keeps the focus, so that the
 * visitor can go on from it.
 */
export function useRouteFocus(): void {
  const { pathname } = useLocation();
  const isPush = useNavigationType() === "PUSH";
  const lastPath = useRef(pathname);
  useNavigated(() => {
    const isOther = pathname !== lastPath.current;
    lastPath.current = pathname;
    const active = document.activeElement ?? document.body;
    // An element that disappears without a new path, such as a filter's chip, moves the focus itself.
    if (isPush && (active === document.body ? isOther : isFollowed(active))) {
      document.getElementById("content")?.focus({ preventScroll: true });
    }
  });
}

/** Whether `element` is the link that was followed, and not an entry of a menu above the content. */
function isFollowed(element: Element): boolean {
  if (element.closest("footer")) return true;
  const isHere = element instanceof HTMLAnchorElement && element.href === location.href;
  return isHere && !element.closest("header, nav");
}
