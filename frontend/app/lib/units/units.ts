import { useSyncExternalStore } from "react";
import { onStored, publish } from "#app/lib/browser/stored.ts";

const KEY = "units";

/**
 * Runs in the head, so that space is reserved for the figures that are rendered later. It is a fixed text, so
 * that its hash in the content security policy stays the same.
 */
export const UNITS_SCRIPT = `try{document.documentElement.dataset.units=localStorage.units||""}catch(e){}`;

/** Returns whether the visitor wants pounds and square feet too, as chosen on this device. */
export const useBothUnits = () => useSyncExternalStore(onChange, showsBoth, () => false);

const showsBoth = () => document.documentElement.dataset.units === "both";

/** Calls back when the choice changes, here or in another tab. */
function onChange(callback: () => void): () => void {
  return onStored(KEY, (units) => {
    document.documentElement.dataset.units = units ?? "";
    callback();
  });
}

/** Turns pounds and square feet on or off, and stores the choice. */
export function chooseUnits(both: boolean): void {
  publish(KEY, both ? "both" : null);
}
