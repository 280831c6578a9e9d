/** How long the focused element may take to go, in milliseconds: a dialog closes, then a list loses a row. */
const TIMEOUT_MS = 1_000;

/**
 * Moves the focus to the page's heading if the focused element disappears, such as the button of a row
 * that has left its list. A focus that is somewhere stays there.
 */
export function keepFocus(): void {
  const start = performance.now();
  const check = () => {
    const { activeElement, body } = document;
    if (!activeElement || activeElement === body) {
      document.querySelector("h1")?.focus({ preventScroll: true });
    } else if (performance.now() - start < TIMEOUT_MS) {
      requestAnimationFrame(check);
    }
  };
  // The refetched data is drawn first.
  requestAnimationFrame(check);
}
