/*
 * Detects whether the operator is idle. The page polls lists and the session only while the operator is
 * active: polling keeps the session open, and an abandoned page has to let it end.
 */

import { useSyncExternalStore } from "react";
import { everySecond } from "./now.ts";

/** The operator is idle this long after the last activity, in milliseconds. */
export const IDLE_MS = 15 * 60_000;

const ACTIVITY_EVENTS = ["pointerdown", "pointermove", "keydown"] as const;

let lastActivity = Date.now();

export function isIdle(): boolean {
  return Date.now() - lastActivity >= IDLE_MS;
}

/** `isIdle` as a hook. */
export function useIdle(): boolean {
  return useSyncExternalStore(everySecond, isIdle, isIdle);
}

/** Records activity at `page` from now on, and calls `onReturn` when an idle operator returns. */
export function watchActivity(page: EventTarget, onReturn: () => void): void {
  const recordActivity = () => {
    const wasIdle = isIdle();
    lastActivity = Date.now();
    if (wasIdle) onReturn();
  };
  for (const sign of ACTIVITY_EVENTS)
    page.addEventListener(sign, recordActivity, { capture: true, passive: true });
}
