import type { QueryClient } from "@tanstack/react-query";
import type { HistoryEntry, PropertyDetail } from "#app/lib/api/types.ts";
import type { Locale } from "#app/lib/i18n/locale.ts";
import { type ApiQuery, apiQuery } from "#app/lib/query/api-query.ts";
import { placePath } from "#app/lib/search/list-path.ts";
import { forSaleAgainSince, newestOf } from "./history.ts";

/** How many homes are shown under "homes like this one". */
const MAX_SIMILAR = 4;

/** Queries the details of a property. */
export function propertyQuery(locale: Locale, reference: string): ApiQuery<PropertyDetail> {
  return apiQuery(
    "/api/properties/{ref}",
    { path: { ref: reference }, query: { locale } },
    // The URL can be derived from the other fields, and the answer itself has the position.
    ({ similar, url, history, featured, sequence, ...property }): PropertyDetail => ({
      ...property,
      ...newestOf(history),
      forSaleAgainSince: forSaleAgainSince(history),
      similar: similar.slice(0, MAX_SIMILAR),
    }),
  );
}

/**
 * Queries the complete history of a property. It is the same in every language, and its query key differs
 * from the page's query, which retains only a part of it.
 */
export function historyQuery(reference: string): ApiQuery<HistoryEntry[]> {
  return apiQuery("/api/properties/{ref}", { path: { ref: reference } }, ({ history }) => history);
}

/** Prefetches a home that the visitor seems about to open. */
export function prefetchProperty(client: QueryClient, locale: Locale, reference: string): void {
  client
    .query({ ...propertyQuery(locale, reference), staleTime: "static" })
    // The page itself fetches again and reports the error.
    .catch(() => undefined);
}

/** Returns the path of a property's page, without its language. */
export function propertyPath(property: { ref: string; location: { slug: string } }): string {
  return `${placePath(property.location.slug)}/${property.ref}`;
}

/** Returns the path of its window sheet, without its language. */
export function sheetPath(property: Parameters<typeof propertyPath>[0]): string {
  return `${propertyPath(property)}/sheet.pdf`;
}
