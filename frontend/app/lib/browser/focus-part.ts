import type { MouseEvent } from "react";

/**
 * Focuses and scrolls to the part of this page that a link names, without changing the address: the history
 * state of the page, the search that led to it, stays.
 */
export function focusPart(event: MouseEvent<HTMLAnchorElement>): void {
  const part = document.getElementById(event.currentTarget.hash.slice(1));
  if (!part) return;
  event.preventDefault();
  part.tabIndex = -1;
  part.focus();
  part.scrollIntoView();
}
