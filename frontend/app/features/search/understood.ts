import type { PropertyList } from "#app/lib/api/types.ts";
import { parseSearch, type Search, searchFields } from "#app/lib/search/search-params.ts";

/**
 * The search with what was understood of its words as filters of its own, and only the rest of them
 * as words. What the address says itself wins, but features and what is ruled out add up.
 */
export function resolved(
  search: Search,
  { words, understood }: Pick<PropertyList, "words" | "understood">,
): Search {
  if (search.q === "") return search;
  const fields = searchFields({ ...search, q: words });
  const given = new Set(fields.keys());
  for (const { parameter, value } of understood) {
    if (ADDING_UP.has(parameter) || !given.has(parameter)) fields.append(parameter, value);
  }
  return parseSearch(fields);
}

const ADDING_UP = new Set(["features", "excludedFeatures", "excludedLocation"]);
