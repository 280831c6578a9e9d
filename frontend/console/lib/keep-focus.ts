/**
 * Gives the keys a place again where what had them is gone, as the button of a row that has left its
 * list: the page's heading. Whoever is anywhere is left there.
 */
export function keepFocus(): void {
  // What has just been learnt is drawn first.
  requestAnimationFrame(() => {
    if (document.activeElement && document.activeElement !== document.body) return;
    document.querySelector("h1")?.focus({ preventScroll: true });
  });
}
