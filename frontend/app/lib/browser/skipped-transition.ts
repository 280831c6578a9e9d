/**
 * Suppresses the error of a skipped view transition, for example when a visitor steps back while it runs. The
 * browser then rejects a promise that the router does not expose.
 */
export function ignoreSkippedTransitions(): void {
  addEventListener("unhandledrejection", (event) => {
    const { reason } = event;
    const aborted = reason instanceof DOMException && reason.name === "AbortError";
    if (aborted && reason.message.startsWith("Transition was skipped")) event.preventDefault();
  });
}
