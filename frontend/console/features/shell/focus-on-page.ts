import { useEffect, useRef } from "react";
import { useLocation } from "react-router";

/**
 * Leads who goes by keys, or by ear, to the heading of a page that was come to: what it is called is
 * read out, and the next stop is on the page. Not when the console is opened, where the browser does.
 */
export function useFocusOnPage(): void {
  const { pathname, search } = useLocation();
  const page = pathname + search;
  const before = useRef(page);
  useEffect(() => {
    if (before.current === page) return;
    before.current = page;
    // Where the page stands, the router remembers.
    document.querySelector("h1")?.focus({ preventScroll: true });
  }, [page]);
}
