import { useSyncExternalStore } from "react";

const EVERY_MS = 1_000;

let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

/** Calls `listener` each second, until the returned function is called. */
export function everySecond(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    now = Date.now();
    for (const each of listeners) each();
  }, EVERY_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
  };
}

function current(): number {
  // The clock that nobody watched has stopped.
  if (timer === undefined && Date.now() - now >= EVERY_MS) now = Date.now();
  return now;
}

/** The time, second by second: one clock for all that shows an age. */
export function useNow(): number {
  return useSyncExternalStore(everySecond, current, current);
}
