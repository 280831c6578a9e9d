import { type ReactNode, type RefObject, Suspense, useEffect, useRef } from "react";

interface BoundaryProps {
  fallback?: ReactNode;
  children: ReactNode;
}

/** Those that stand in the document and are not hydrated, and who waits for them. */
const unhydrated = new Set<RefObject<boolean>>();
const waiting = new Set<() => void>();

/** Something may keep a part for good: its script is lost, say. In milliseconds. */
const PATIENCE = 10_000;

/**
 * A part of the page that React hydrates, or renders, on its own. Until it has, a change of what
 * stands around it would make React throw away what the server sent of it, with what a visitor writes
 * in there and the keyboard under it: `whenHydrated` says when changes may come.
 */
export function Boundary({ fallback, children }: BoundaryProps) {
  const hydrated = useRef(false);
  useEffect(() => {
    if (!hydrated.current) unhydrated.add(hydrated);
    return () => settle(hydrated);
  }, []);
  return (
    <Suspense fallback={fallback}>
      {children}
      <Hydrated part={hydrated} />
    </Suspense>
  );
}

/** Its effect is the last of the part's. */
function Hydrated({ part }: { part: RefObject<boolean> }) {
  useEffect(() => {
    part.current = true;
    settle(part);
  }, [part]);
  return null;
}

function settle(part: RefObject<boolean>): void {
  unhydrated.delete(part);
  if (unhydrated.size > 0) return;
  for (const callback of waiting) callback();
  waiting.clear();
}

/** Calls back once no boundary of the page waits for hydration any more, ten seconds later at most. */
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
  const timer = setTimeout(once, PATIENCE);
  waiting.add(once);
}
