import type { Locale } from "#app/lib/i18n/locale.ts";
import { type ExchangeRate, exchangeRate } from "#app/lib/property/figures.ts";
import { type ApiQuery, apiQuery } from "#app/lib/query/api-query.ts";

/** What a euro is worth in pounds; none while the editors keep none. */
export function exchangeQuery(locale: Locale): ApiQuery<ExchangeRate | undefined> {
  return apiQuery("/api/figures", { query: { locale, group: ["exchange"] } }, ({ figures }) =>
    exchangeRate(figures),
  );
}
