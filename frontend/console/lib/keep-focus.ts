/** How long what is gone may take to go, in milliseconds: a dialog closes, then a list is drawn without a row. */
const PATIENCE = 1_000;

/**
 * Gives the keys a place again where what had them is gone, as the button of a row that has left its
 * list: the page's heading. Whoever is anywhere is left there.
 */
export function keepFocus(): void {
  const begun = performance.now();
  const look = () => {
    const { activeElement, body } = document;
    if (!activeElement || activeElement === body) {
      document.querySelector("h1")?.focus({ preventScroll: true });
    } else if (performance.now() - begun < PATIENCE) {
      requestAnimationFrame(look);
    }
  };
  // What has just been learnt is drawn first.
  requestAnimationFrame(look);
}
