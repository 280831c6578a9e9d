/** Shows pounds and square feet besides, or no longer, and keeps the choice. */
export function chooseUnits(both: boolean): void {
  const newValue = both ? "both" : null;
  try {
    if (both) localStorage.setItem("units", "both");
    else localStorage.removeItem("units");
  } catch {
    // Storage may be forbidden: the choice then lasts as long as the page.
  }
  // Browsers tell other tabs alone.
  dispatchEvent(new StorageEvent("storage", { key: "units", newValue }));
}
