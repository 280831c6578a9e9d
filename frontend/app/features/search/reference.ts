import { EVERYTHING, type Search, searchPath } from "#app/lib/search/search-params.ts";

/** However a reference is typed: `AH-1042`, `ah 1042`, `AH1042`. */
const bare = (text: string) => text.toLowerCase().replace(/[\s._-]/g, "");

interface Found<T> {
  items: readonly T[];
  /** What is left of the words that were asked for: of a home's address, its reference. */
  words: string;
  understood: readonly unknown[];
}

/** The home that was asked for by its reference or address and nothing else, where it was found. */
export function askedFor<T extends { ref: string }>(
  search: Search,
  { items, words, understood }: Found<T>,
): T | undefined {
  if (
    searchPath(search) !== searchPath({ ...EVERYTHING, q: search.q, sort: search.sort }) ||
    understood.length > 0
  ) {
    return undefined;
  }
  return items.find(({ ref }) => bare(ref) === bare(words));
}
