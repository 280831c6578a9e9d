/** Calls back when the browser has nothing better to do. */
export function whenIdle(callback: () => void): void {
  if ("requestIdleCallback" in window) requestIdleCallback(callback, { timeout: 3_000 });
  else setTimeout(callback, 1_000);
}
