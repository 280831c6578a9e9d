import { useRef } from "react";
import { useLocation, useNavigationType } from "react-router";
import { useNavigated } from "#app/lib/browser/use-navigated.ts";

/**
 * Leads who goes by keys to the beginning of a page that they step to, where the link that they followed has
 * gone or is still there, at the foot or in the text: in a menu it is a place to go on from.
 */
export function useRouteFocus(): void {
  const { pathname } = useLocation();
  const isStep = useNavigationType() === "PUSH";
  const lastPath = useRef(pathname);
  useNavigated(() => {
    const isOther = pathname !== lastPath.current;
    lastPath.current = pathname;
    const active = document.activeElement ?? document.body;
    // A choice within a page may go as well, and says itself what comes in its place.
    if (isStep && (active === document.body ? isOther : isFollowed(active))) {
      document.getElementById("content")?.focus({ preventScroll: true });
    }
  });
}

/** Whether `element` is a link that led here, and no entry of a menu above, which is a place to go on from. */
function isFollowed(element: Element): boolean {
  if (element.closest("footer")) return true;
  const isHere = element instanceof HTMLAnchorElement && element.href === location.href;
  return isHere && !element.closest("header, nav");
}
