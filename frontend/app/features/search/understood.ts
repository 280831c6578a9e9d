import type { PropertyList } from "#app/lib/api/types.ts";
import { LISTS, parseSearch, type Search, searchFields } from "#app/lib/search/search-params.ts";

/**
 * Turns the parts of the text that the API understood into filters, and leaves only the rest as text. The
 * text is taken as the latest choice: its value replaces that of a parameter with a single value, and is
 * added to a list.
 */
export function withUnderstoodFilters(
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
  location: "notLocation",
  notLocation: "location",
  features: "withoutFeatures",
  withoutFeatures: "features",
};
