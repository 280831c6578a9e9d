import type { PropertyList } from "#app/lib/api/types.ts";
import { LISTS, parseSearch, type Search, searchFields } from "#app/lib/search/search-params.ts";

/**
 * The search with what was understood of its words as filters of its own, and only the rest of them
 * as words. They are what was said last: of what there is one of, theirs counts, and the rest adds up.
 */
export function resolved(
  search: Search,
  { words, understood }: Pick<PropertyList, "words" | "understood">,
): Search {
  if (search.q === "") return search;
  const fields = searchFields({ ...search, q: words });
  for (const { parameter, value } of understood) {
    fields.delete(OPPOSITES[parameter] ?? "", value);
    if ((LISTS as readonly string[]).includes(parameter)) fields.append(parameter, value);
    else fields.set(parameter, value);
  }
  return parseSearch(fields);
}

const OPPOSITES: Record<string, string> = {
  location: "excludedLocation",
  excludedLocation: "location",
  features: "excludedFeatures",
  excludedFeatures: "features",
};
