/**
 * Tells a page that a step back brings as it was left what others stored on the device meanwhile: browsers tell
 * the pages alone that are open then. Until what it gives is called.
 */
export function tellStoredMeanwhile(): () => void {
  const isOver = new AbortController();
  let before = everything();
  const leave = () => {
    before = everything();
  };
  const show = ({ persisted }: PageTransitionEvent) => {
    if (!persisted) return;
    const now = everything();
    for (const key of Object.keys({ ...before, ...now })) {
      const newValue = now[key] ?? null;
      if (newValue !== (before[key] ?? null)) {
        dispatchEvent(new StorageEvent("storage", { key, newValue }));
      }
    }
  };
  addEventListener("pagehide", leave, { signal: isOver.signal });
  addEventListener("pageshow", show, { signal: isOver.signal });
  return () => isOver.abort();
}

/** All that the device keeps; nothing where storage is forbidden. */
function everything(): Readonly<Record<string, string>> {
  try {
    return { ...localStorage };
  } catch {
    return {};
  }
}
