/** Calls back when the browser is idle. */
export function whenIdle(callback: () => void): void {
  if ("requestIdleCallback" in window) requestIdleCallback(callback, { timeout: 3_000 });
  else setTimeout(callback, 1_000);
}
