import { EVERYTHING, type Search, searchPath } from "#app/lib/search/search-params.ts";

/** Normalizes the ways a reference is typed: `AH-1042`, `ah 1042`, `AH1042`. */
const normalized = (text: string) => text.toLowerCase().replace(/[\s._-]/g, "");

interface Results<T> {
  items: readonly T[];
  /** The part of the typed text that was not understood as filters. For a home's address: its reference. */
  words: string;
  understood: readonly unknown[];
}

/** Returns the home whose reference or address is all that was searched for, if it was found. */
export function exactMatch<T extends { ref: string }>(
  search: Search,
  { items, words, understood }: Results<T>,
): T | undefined {
  if (
    searchPath(search) !== searchPath({ ...EVERYTHING, q: search.q, sort: search.sort }) ||
    understood.length > 0
  ) {
    return undefined;
  }
  return items.find(({ ref }) => normalized(ref) === normalized(words));
}
