/*
 * The rows of a list that an operator has selected: only listed ones, and no more than one action takes.
 * A row that has left the list is no longer selected.
 */

export type Chosen = ReadonlySet<string>;

export const NONE: Chosen = new Set();

/** Returns the chosen keys that are still listed; the same set if all are. */
export function stillListed(chosen: Chosen, listed: readonly string[]): Chosen {
  const known = new Set(listed);
  const kept = [...chosen].filter((key) => known.has(key));
  return kept.length === chosen.size ? chosen : new Set(kept);
}

/** Adds `key` or removes it. Beyond `max` keys nothing is added. */
export function toggled(chosen: Chosen, key: string, max: number): Chosen {
  const next = new Set(chosen);
  if (!next.delete(key)) {
    if (next.size >= max) return chosen;
    next.add(key);
  }
  return next;
}

/** Chooses the first `max` listed keys. */
export function allOf(listed: readonly string[], max: number): Chosen {
  return new Set(listed.slice(0, max));
}
