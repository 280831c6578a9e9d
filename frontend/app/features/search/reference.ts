import { EVERYTHING, type Search, searchPath } from "#app/lib/search/search-params.ts";

/** However a reference is typed: `AH-1042`, `ah 1042`, `AH1042`. */
const bare = (text: string) => text.toLowerCase().replace(/[\s._-]/g, "");

/** The home that was asked for by its reference and by nothing else, where it was found. */
export function askedFor<T extends { ref: string }>(
  search: Search,
  found: readonly T[],
): T | undefined {
  if (
    search.q === "" ||
    searchPath(search) !== searchPath({ ...EVERYTHING, q: search.q, sort: search.sort })
  ) {
    return undefined;
  }
  return found.find(({ ref }) => bare(ref) === bare(search.q));
}
