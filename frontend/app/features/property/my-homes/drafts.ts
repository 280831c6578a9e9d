import { useSyncExternalStore } from "react";

/**
 * The notes that are being written, by reference: another order may move a home out of what is shown, and a
 * step within the site takes all of it away. Who signs out or in opens another document, without them.
 */
const drafts = new Map<string, string>();
const listeners = new Set<() => void>();

export function draftOf(reference: string): string | undefined {
  return drafts.get(reference);
}

/** Keeps what is written as a note; without words, nothing is being written any more. */
export function writeDraft(reference: string, text: string | undefined): void {
  if (text === undefined) drafts.delete(reference);
  else drafts.set(reference, text);
  for (const listener of listeners) listener();
}

/** What is being written as the note to a home, where something is. */
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
