import { useEffect, useRef } from "react";
import { useLocation } from "react-router";

/**
 * Moves the focus to the heading of a page after navigation: screen readers announce the title, and the
 * next tab stop is on the page. Does nothing when the console is first opened, where the browser does it.
 */
export function useFocusOnPage(): void {
  const { pathname, search } = useLocation();
  const page = pathname + search;
  const before = useRef(page);
  useEffect(() => {
    if (before.current === page) return;
    before.current = page;
    // The router restores the scroll position.
    document.querySelector("h1")?.focus({ preventScroll: true });
  }, [page]);
}
