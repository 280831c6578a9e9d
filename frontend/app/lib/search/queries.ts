import type { LocationList, PlaceText, PropertyCardList } from "#app/lib/api/types.ts";
import type { Locale } from "#app/lib/i18n/locale.ts";
import { type ApiQuery, apiQuery, cardsQuery } from "#app/lib/query/api-query.ts";
import { apiSearch, EVERYTHING, type Search } from "./search-params.ts";

/** One page of the homes that a search finds, with its facets. */
export function searchQuery(locale: Locale, search: Search): ApiQuery<PropertyCardList> {
  return cardsQuery(apiSearch(search, locale));
}

/** The first few of the newest homes, or of those that the editors put forward. */
export function selectionQuery(
  locale: Locale,
  selection: "featured" | "newest",
  count: number,
): ApiQuery<PropertyCardList> {
  return firstQuery(locale, { featured: selection === "featured" }, count);
}

/** The first few homes of a search, whatever a page of the list would hold. */
export function firstQuery(
  locale: Locale,
  search: Partial<Search>,
  count: number,
): ApiQuery<PropertyCardList> {
  return cardsQuery({ ...apiSearch({ ...EVERYTHING, ...search }, locale), perPage: count });
}

/** The places, with their pictures and how many homes each has. */
export function placesQuery(locale: Locale): ApiQuery<LocationList> {
  return apiQuery("/api/locations", { query: { locale } });
}

/** What is written of a place at length. */
export function placeTextQuery(locale: Locale, slug: string): ApiQuery<PlaceText> {
  return apiQuery("/api/locations/{slug}", { path: { slug }, query: { locale } });
}
