import { type ReactNode, type RefObject, Suspense, useEffect, useRef } from "react";

interface BoundaryProps {
  fallback?: ReactNode;
  children: ReactNode;
}

/** The boundaries in the document that are not hydrated yet, and the callbacks that wait for them. */
const unhydrated = new Set<RefObject<boolean>>();
const waiting = new Set<() => void>();

/** In milliseconds. A part may never hydrate, for example because its script failed to load. */
const TIMEOUT_MS = 10_000;

/**
 * A part of the page that React hydrates, or renders, on its own. Until it is hydrated, a change around it
 * would make React discard its server-rendered HTML, with what the visitor has typed in it and the focus:
 * `whenHydrated` calls back when changes are safe.
 */
export function Boundary({ fallback, children }: BoundaryProps) {
  const hydrated = useRef(false);
  useEffect(() => {
    if (!hydrated.current) unhydrated.add(hydrated);
    return () => markHydrated(hydrated);
  }, []);
  return (
    <Suspense fallback={fallback}>
      {children}
      <Hydrated part={hydrated} />
    </Suspense>
  );
}

/** Marks the boundary as hydrated: as the last child, its effect runs last. */
function Hydrated({ part }: { part: RefObject<boolean> }) {
  useEffect(() => {
    part.current = true;
    markHydrated(part);
  }, [part]);
  return null;
}

function markHydrated(part: RefObject<boolean>): void {
  unhydrated.delete(part);
  if (unhydrated.size > 0) return;
  for (const callback of waiting) callback();
  waiting.clear();
}

/** Calls back once all boundaries of the page are hydrated, or after ten seconds at most. */
export function whenHydrated(callback: () => void): void {
  if (unhydrated.size === 0) {
    callback();
    return;
  }
  const once = () => {
    clearTimeout(timer);
    waiting.delete(once);
    callback();
  };
  const timer = setTimeout(once, TIMEOUT_MS);
  waiting.add(once);
}
