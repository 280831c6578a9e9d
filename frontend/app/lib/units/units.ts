import { useSyncExternalStore } from "react";
import { onStored, publish } from "#app/lib/browser/stored.ts";

const KEY = "units";

/** Runs in the head, so that room is kept for what comes with the script. One fixed text. */
export const UNITS_SCRIPT = `try{document.documentElement.dataset.units=localStorage.units||""}catch(e){}`;

/** Whether the visitor wants pounds and square feet besides, as chosen on this device. */
export const useBothUnits = () => useSyncExternalStore(onChange, showsBoth, () => false);

const showsBoth = () => document.documentElement.dataset.units === "both";

/** Calls back when the choice changes, here or in another tab. */
function onChange(callback: () => void): () => void {
  return onStored(KEY, (units) => {
    document.documentElement.dataset.units = units ?? "";
    callback();
  });
}

/** Shows pounds and square feet besides, or no longer, and keeps the choice. */
export function chooseUnits(both: boolean): void {
  publish(KEY, both ? "both" : null);
}
