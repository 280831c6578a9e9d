import { useSyncExternalStore } from "react";

/** The attribute of the document and the entry of the device's memory that say so. */
export const UNITS = "units";
export const BOTH = "both";

/** Runs in the head, so that room is kept for what comes with the script. One fixed text. */
export const UNITS_SCRIPT = `try{if(localStorage.${UNITS}=="${BOTH}")document.documentElement.dataset.${UNITS}="${BOTH}"}catch(e){}`;

/** Whether the visitor wants pounds and square feet besides, as chosen on this device. */
export function useBothUnits(): boolean {
  return useSyncExternalStore(onChange, isShown, () => false);
}

const isShown = () => document.documentElement.dataset[UNITS] === BOTH;

/** Shows them or not; whoever listens is told, in other tabs by the browser. */
export function showUnits(both: boolean): void {
  document.documentElement.dataset[UNITS] = both ? BOTH : "";
  dispatchEvent(new Event(UNITS));
}

function onChange(callback: () => void): () => void {
  const onStorage = ({ key, newValue }: StorageEvent) => {
    if (key === UNITS && (newValue === BOTH) !== isShown()) showUnits(newValue === BOTH);
  };
  addEventListener(UNITS, callback);
  addEventListener("storage", onStorage);
  return () => {
    removeEventListener(UNITS, callback);
    removeEventListener("storage", onStorage);
  };
}
