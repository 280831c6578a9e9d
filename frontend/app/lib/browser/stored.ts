/** For as long as the device keeps it, or as the tab is open. */
type Area = "localStorage" | "sessionStorage";

/** What this browser keeps under `key`; nothing where it keeps nothing for us. */
export function read(key: string, area: Area = "localStorage"): string | null {
  try {
    return globalThis[area].getItem(key);
  } catch {
    // Storage may be forbidden, by a setting or a private window.
    return null;
  }
}

/** Keeps `text` under `key`, or forgets what is there; gives whether it could: storage may be full. */
export function write(key: string, text: string | null, area: Area = "localStorage"): boolean {
  try {
    if (text === null) globalThis[area].removeItem(key);
    else globalThis[area].setItem(key, text);
    return true;
  } catch {
    return false;
  }
}

/** Writes to the device, and tells this tab too, whether it could or not: browsers tell the other tabs alone. */
export function publish(key: string, text: string | null): void {
  write(key, text);
  dispatchEvent(new StorageEvent("storage", { key, newValue: text }));
}

/** Calls back with what the device now keeps under `key`, when another tab has written it or this one published it. */
export function onStored(key: string, callback: (text: string | null) => void): () => void {
  const listener = (event: StorageEvent) => {
    // Without a key, all of it was cleared.
    if (event.key === key || event.key === null) callback(event.newValue);
  };
  addEventListener("storage", listener);
  return () => removeEventListener("storage", listener);
}
