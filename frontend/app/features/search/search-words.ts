import type { Locale } from "#app/lib/i18n/locale.ts";
import type { Search } from "#app/lib/search/search-params.ts";
import { appliedFilters } from "./applied-filters.tsx";
import { isSoldOnly, listTitle } from "./list-heading.ts";

/** Describes a search in words: the title of its list, then the other filters. */
export function searchWords(
  search: Search,
  locale: Locale,
  placeName: (slug: string) => string,
): string {
  const [place, ...otherPlaces] = search.location;
  const titled = otherPlaces.length === 0 ? place : undefined;
  const inTitle = parametersInTitle(search);
  const details = appliedFilters(search, locale, placeName).filter(
    ({ parameter }) => !inTitle.has(parameter),
  );
  const title = listTitle(search, locale, titled && placeName(titled));
  return [title, ...details.map(({ label }) => label)].join(", ");
}

/**
 * Returns the parameters that the title states: a single place, and either sold or reduced, or a single
 * kind or type.
 */
function parametersInTitle(search: Search): Set<keyof Search> {
  const { location, kind, propertyType, reduced } = search;
  const titled = new Set<keyof Search>();
  if (location.length === 1) titled.add("location");
  if (isSoldOnly(search)) titled.add("status");
  else if (reduced) titled.add("reduced");
  else if (kind.length === 1) titled.add("kind");
  else if (kind.length === 0 && propertyType.length === 1) titled.add("propertyType");
  return titled;
}
