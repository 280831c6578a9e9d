import { BOTH, showUnits, UNITS } from "./units.ts";

/** Shows pounds and square feet besides, or no longer, and keeps the choice. */
export function chooseUnits(both: boolean): void {
  showUnits(both);
  try {
    if (both) localStorage.setItem(UNITS, BOTH);
    else localStorage.removeItem(UNITS);
  } catch {
    // Storage may be forbidden: the choice then lasts as long as the page.
  }
}
