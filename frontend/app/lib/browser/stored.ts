/** `localStorage` lasts as long as the device keeps it, `sessionStorage` as long as the tab is open. */
type Area = "localStorage" | "sessionStorage";

/** Returns what this browser has stored under `key`, or null if there is nothing. */
export function read(key: string, area: Area = "localStorage"): string | null {
  try {
    return globalThis[area].getItem(key);
  } catch {
    // Storage may be forbidden, by a setting or in a private window.
    return null;
  }
}

/**
 * Stores `text` under `key`, or removes the item if it is null. Returns whether that worked: storage may be
 * full.
 */
export function write(key: string, text: string | null, area: Area = "localStorage"): boolean {
  try {
    if (text === null) globalThis[area].removeItem(key);
    else globalThis[area].setItem(key, text);
    return true;
  } catch {
    return false;
  }
}

/** Stores a value and notifies this tab too, whether storing worked or not: browsers notify only the other tabs. */
export function publish(key: string, text: string | null): void {
  write(key, text);
  dispatchEvent(new StorageEvent("storage", { key, newValue: text }));
}

/** Calls back with the new value of `key`, when another tab has written it or this tab has published it. */
export function onStored(key: string, callback: (text: string | null) => void): () => void {
  const listener = (event: StorageEvent) => {
    // An event without a key means that the complete storage was cleared.
    if (event.key === key || event.key === null) callback(event.newValue);
  };
  addEventListener("storage", listener);
  return () => removeEventListener("storage", listener);
}
