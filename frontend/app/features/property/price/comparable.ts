import type { ComparableHomes, PropertyDetail } from "#app/lib/api/types.ts";
import type { Locale } from "#app/lib/i18n/locale.ts";
import { type ApiQuery, apiQuery } from "#app/lib/query/api-query.ts";
import { nounOf } from "../noun.ts";

/** Returns whether a price can be compared with those of comparable homes: that of a home that is offered. */
export function isComparable({
  kind,
  price,
  status,
}: Pick<PropertyDetail, "kind" | "price" | "status">): boolean {
  return nounOf(kind) === "home" && Boolean(price) && status !== "sold";
}

/** Queries the prices of comparable homes; null if there are too few. */
export function comparableQuery(
  locale: Locale,
  reference: string,
): ApiQuery<ComparableHomes | null> {
  return apiQuery(
    "/api/properties/{ref}/comparable",
    { path: { ref: reference }, query: { locale } },
    // Only the day: the time is that of the answer, and would make each document of a home differ.
    ({ homes }) => (homes ? { ...homes, soldSince: homes.soldSince.slice(0, 10) } : null),
  );
}
