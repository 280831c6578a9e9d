import type { MouseEvent } from "react";

/**
 * Leads to the part of this page that a link names, and not by the address: what the history holds of the
 * page, the search that led to it, stays.
 */
export function stepWithin(event: MouseEvent<HTMLAnchorElement>): void {
  const part = document.getElementById(event.currentTarget.hash.slice(1));
  if (!part) return;
  event.preventDefault();
  part.tabIndex = -1;
  part.focus();
  part.scrollIntoView();
}
