import { useSyncExternalStore } from "react";

/** Runs in the head, so that room is kept for what comes with the script. One fixed text. */
export const UNITS_SCRIPT = `try{document.documentElement.dataset.units=localStorage.units||""}catch(e){}`;

/** Whether the visitor wants pounds and square feet besides, as chosen on this device. */
export const useBothUnits = () => useSyncExternalStore(onChange, isShown, () => false);

const isShown = () => document.documentElement.dataset.units === "both";

/** Calls back when the choice changes, here or in another tab. */
function onChange(callback: () => void): () => void {
  const onStorage = ({ key, newValue }: StorageEvent) => {
    if (key === "units") document.documentElement.dataset.units = newValue ?? "";
    callback();
  };
  addEventListener("storage", onStorage);
  return () => removeEventListener("storage", onStorage);
}
