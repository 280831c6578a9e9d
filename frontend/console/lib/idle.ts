/*
 * Whether anybody is at the page. It asks for lists, and for who is signed in, only as long as somebody is:
 * that keeps the session open, and a page that was left open is to end it.
 */

import { useSyncExternalStore } from "react";
import { everySecond } from "./now.ts";

/** So long after the last sign of somebody nobody is there, in milliseconds. */
export const IDLE_MS = 15 * 60_000;

const SIGNS = ["pointerdown", "pointermove", "keydown"] as const;

let lastSign = Date.now();

export function isIdle(): boolean {
  return Date.now() - lastSign >= IDLE_MS;
}

/** The same for what is drawn. */
export function useIdle(): boolean {
  return useSyncExternalStore(everySecond, isIdle, isIdle);
}

/** Notes who is at `page`, from now on, and tells when somebody comes back. */
export function watchOver(page: EventTarget, comesBack: () => void): void {
  const note = () => {
    const wasIdle = isIdle();
    lastSign = Date.now();
    if (wasIdle) comesBack();
  };
  for (const sign of SIGNS) page.addEventListener(sign, note, { capture: true, passive: true });
}
