import { useSyncExternalStore } from "react";

const STORAGE_KEY = "units";
const BOTH = "both";

/** Runs in the head, so that room is kept for what comes with the script. One fixed text. */
export const UNITS_SCRIPT = `(function(){try{if(localStorage.getItem("${STORAGE_KEY}")==="${BOTH}")document.documentElement.dataset.units="${BOTH}"}catch(e){}})()`;

/** Whether the visitor wants pounds and square feet besides, as chosen on this device. */
export function useBothUnits(): boolean {
  return useSyncExternalStore(onChange, isShown, () => false);
}

/** Shows them or not, and keeps the choice. */
export function chooseUnits(both: boolean): void {
  show(both);
  try {
    if (both) localStorage.setItem(STORAGE_KEY, BOTH);
    else localStorage.removeItem(STORAGE_KEY);
  } catch {
    // Storage may be forbidden: the choice then lasts as long as the page.
  }
  dispatchEvent(new Event(UNITS_EVENT));
}

const UNITS_EVENT = "almijara:units";

const isShown = () => document.documentElement.dataset.units === BOTH;

function show(both: boolean): void {
  if (both) document.documentElement.dataset.units = BOTH;
  else delete document.documentElement.dataset.units;
}

/** Calls back when the choice changes, here or in another tab. */
function onChange(callback: () => void): () => void {
  const onStorage = ({ key, newValue }: StorageEvent) => {
    // No key: all of it was cleared.
    if (key !== STORAGE_KEY && key !== null) return;
    show(newValue === BOTH);
    callback();
  };
  addEventListener(UNITS_EVENT, callback);
  addEventListener("storage", onStorage);
  return () => {
    removeEventListener(UNITS_EVENT, callback);
    removeEventListener("storage", onStorage);
  };
}
