import { useEffect, useEffectEvent } from "react";

declare global {
  interface Window {
    /** Reports a phone's Back button before the page is left. Not every browser has it. */
    readonly CloseWatcher?: new () => EventTarget & { destroy(): void };
  }
}

/** Calls `close` when the visitor asks the browser to close what is open, such as with a phone's Back button. */
export function useCloseRequest(isOpen: boolean, close: () => void): void {
  const closeNow = useEffectEvent(close);
  useEffect(() => {
    if (isOpen) return onCloseRequests(() => closeNow());
  }, [isOpen]);
}

/**
 * Calls `close` for each close request until the returned function is called. An Escape that a script has
 * already handled is not a close request.
 */
export function onCloseRequests(close: () => void): () => void {
  const { CloseWatcher } = window;
  if (!CloseWatcher) return () => undefined;
  const watch = () => {
    const watcher = new CloseWatcher();
    watcher.addEventListener("close", () => {
      // A watcher reports only one request. The overlay may refuse to close, so a new one is needed.
      current = watch();
      close();
    });
    return watcher;
  };
  let current = watch();
  return () => current.destroy();
}
