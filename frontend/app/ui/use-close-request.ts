import { useEffect, useEffectEvent } from "react";

declare global {
  interface Window {
    /** What hears a telephone's Back before the page is left. Not every browser has it. */
    readonly CloseWatcher?: new () => EventTarget & { destroy(): void };
  }
}

/** Calls `close` when the browser is asked to close what is open. */
export function useCloseRequest(isOpen: boolean, close: () => void): void {
  const closeNow = useEffectEvent(close);
  useEffect(() => {
    if (isOpen) return hearCloseRequests(() => closeNow());
  }, [isOpen]);
}

/**
 * Calls `close` at each request until the function that it returns is called. An Escape that a script
 * has answered is none.
 */
export function hearCloseRequests(close: () => void): () => void {
  const { CloseWatcher } = window;
  if (!CloseWatcher) return () => undefined;
  const watch = () => {
    const watcher = new CloseWatcher();
    watcher.addEventListener("close", () => {
      // Spent by its request, which what is open may refuse.
      current = watch();
      close();
    });
    return watcher;
  };
  let current = watch();
  return () => current.destroy();
}
