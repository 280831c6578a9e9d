import type { LocationList, PlaceText, PropertyCardList } from "#app/lib/api/types.ts";
import type { Locale } from "#app/lib/i18n/locale.ts";
import { type ApiQuery, apiQuery, cardsQuery } from "#app/lib/query/api-query.ts";
import { apiSearch, EVERYTHING, type Search } from "./search-params.ts";

/** Queries one page of a search's homes, with its facets. */
export function searchQuery(locale: Locale, search: Search): ApiQuery<PropertyCardList> {
  return cardsQuery(apiSearch(search, locale));
}

/** Queries the first few of the newest homes, or of those that the editors feature. */
export function selectionQuery(
  locale: Locale,
  selection: "featured" | "newest",
  count: number,
): ApiQuery<PropertyCardList> {
  return firstQuery(locale, { featured: selection === "featured" }, count);
}

/** Queries the first few homes of a search, regardless of the list's page size. */
export function firstQuery(
  locale: Locale,
  search: Partial<Search>,
  count: number,
): ApiQuery<PropertyCardList> {
  return cardsQuery({ ...apiSearch({ ...EVERYTHING, ...search }, locale), perPage: count });
}

/** Queries the places, with their pictures and how many homes each has. */
export function placesQuery(locale: Locale): ApiQuery<LocationList> {
  return apiQuery("/api/locations", { query: { locale } });
}

/** Queries the full text about a place. */
export function placeTextQuery(locale: Locale, slug: string): ApiQuery<PlaceText> {
  return apiQuery("/api/locations/{slug}", { path: { slug }, query: { locale } });
}
