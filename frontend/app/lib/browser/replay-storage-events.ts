/**
 * Dispatches storage events to a page that is restored from the back/forward cache, for what other tabs
 * stored on the device in the meantime: browsers only notify pages that are open at that moment. Returns a
 * function that stops it.
 */
export function replayStorageEvents(): () => void {
  const stop = new AbortController();
  let before = allItems();
  const remember = () => {
    before = allItems();
  };
  const compare = ({ persisted }: PageTransitionEvent) => {
    if (!persisted) return;
    const now = allItems();
    for (const key of Object.keys({ ...before, ...now })) {
      const newValue = now[key] ?? null;
      if (newValue !== (before[key] ?? null)) {
        dispatchEvent(new StorageEvent("storage", { key, newValue }));
      }
    }
  };
  addEventListener("pagehide", remember, { signal: stop.signal });
  addEventListener("pageshow", compare, { signal: stop.signal });
  return () => stop.abort();
}

/** Returns all items of the device's storage; none if storage is forbidden. */
function allItems(): Readonly<Record<string, string>> {
  try {
    return { ...localStorage };
  } catch {
    return {};
  }
}
