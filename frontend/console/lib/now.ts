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
  // Without listeners the clock has stopped.
  if (timer === undefined && Date.now() - now >= EVERY_MS) now = Date.now();
  return now;
}

/** Returns the time, updated every second by one clock for all components. */
export function useNow(): number {
  return useSyncExternalStore(everySecond, current, current);
}
