import { useSyncExternalStore } from "react";

/**
 * Unsaved notes, by reference. They are stored outside the components, which are unmounted when another order
 * moves a home out of view, and on navigation within the site. Signing out or in loads a new document, which
 * discards them.
 */
const drafts = new Map<string, string>();
const listeners = new Set<() => void>();

export function draftOf(reference: string): string | undefined {
  return drafts.get(reference);
}

/** Stores an unsaved note; with `undefined`, removes it. */
export function writeDraft(reference: string, text: string | undefined): void {
  if (text === undefined) drafts.delete(reference);
  else drafts.set(reference, text);
  for (const listener of listeners) listener();
}

/** Returns the unsaved note of a home, if there is one. */
export function useDraft(reference: string): string | undefined {
  return useSyncExternalStore(
    onDrafts,
    () => drafts.get(reference),
    () => undefined,
  );
}

function onDrafts(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
