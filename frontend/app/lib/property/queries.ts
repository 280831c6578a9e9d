import type { QueryClient } from "@tanstack/react-query";
import type { ComparablePrices, HistoryEntry, PropertyDetail } from "#app/lib/api/types.ts";
import type { Locale } from "#app/lib/i18n/locale.ts";
import { type ApiQuery, apiQuery } from "#app/lib/query/api-query.ts";
import { placePath } from "#app/lib/search/list-path.ts";
import { forSaleAgainSince, newestOf } from "./history.ts";

/** As many homes as stand under "homes like this one". */
const MAX_SIMILAR = 4;

/** All of one property. */
export function propertyQuery(locale: Locale, reference: string): ApiQuery<PropertyDetail> {
  return apiQuery(
    "/api/properties/{ref}",
    { path: { ref: reference }, query: { locale } },
    // Its path is made of what else is known of it.
    ({ similar, url, history, ...property }): PropertyDetail => ({
      ...property,
      ...newestOf(history),
      forSaleAgainSince: forSaleAgainSince(history),
      similar: similar.slice(0, MAX_SIMILAR),
    }),
  );
}

/**
 * All that a property was offered at. It is the same in every language, so that the question is another
 * than that of the page, which keeps less of it.
 */
export function historyQuery(reference: string): ApiQuery<HistoryEntry[]> {
  return apiQuery("/api/properties/{ref}", { path: { ref: reference } }, ({ history }) => history);
}

/** What homes comparable to one are offered at. */
export function comparableQuery(locale: Locale, reference: string): ApiQuery<ComparablePrices> {
  return apiQuery("/api/properties/{ref}/comparable", {
    path: { ref: reference },
    query: { locale },
  });
}

/** Asks for a home that the visitor seems to be about to open. */
export function readAhead(client: QueryClient, locale: Locale, reference: string): void {
  client
    .query({ ...propertyQuery(locale, reference), staleTime: "static" })
    // The page itself asks again and says what is wrong.
    .catch(() => undefined);
}

/** The address of a property's page, without its language. */
export function propertyPath(property: { ref: string; location: { slug: string } }): string {
  return `${placePath(property.location.slug)}/${property.ref}`;
}

/** The address of its sheet for the shop window, without its language. */
export function sheetPath(property: Parameters<typeof propertyPath>[0]): string {
  return `${propertyPath(property)}/sheet.pdf`;
}
