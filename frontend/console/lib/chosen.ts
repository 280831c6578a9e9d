/*
 * What an operator has chosen of a list: only what is listed, and no more than can be acted on
 * together. What has left the list since is no longer chosen.
 */

export type Chosen = ReadonlySet<string>;

export const NONE: Chosen = new Set();

/** The same set where all of it is still listed. */
export function stillListed(chosen: Chosen, listed: readonly string[]): Chosen {
  const known = new Set(listed);
  const kept = [...chosen].filter((key) => known.has(key));
  return kept.length === chosen.size ? chosen : new Set(kept);
}

/** With `key` or without it; one too many is not taken. */
export function toggled(chosen: Chosen, key: string, most: number): Chosen {
  const next = new Set(chosen);
  if (!next.delete(key)) {
    if (next.size >= most) return chosen;
    next.add(key);
  }
  return next;
}

/** All that is listed, as far as they can be acted on together: the first. */
export function allOf(listed: readonly string[], most: number): Chosen {
  return new Set(listed.slice(0, most));
}
