/**
 * Lets a view transition be given up in silence, as when a visitor steps back while it runs. The
 * browser rejects a promise then that the router keeps to itself.
 */
export function ignoreSkippedTransitions(): void {
  addEventListener("unhandledrejection", (event) => {
    const { reason } = event;
    const aborted = reason instanceof DOMException && reason.name === "AbortError";
    if (aborted && reason.message.startsWith("Transition was skipped")) event.preventDefault();
  });
}
