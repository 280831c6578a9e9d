import { asRecord } from "#app/lib/api/answer.ts";
import type { Locale } from "#app/lib/i18n/locale.ts";
import { type ApiQuery, apiQuery } from "#app/lib/query/api-query.ts";

/** The value of a euro in pounds, its source, and its day (`2026-11-25`). */
interface ExchangeRate {
  readonly value: number;
  readonly source: string;
  readonly date: string;
}

/** Queries the editors' rate; undefined if there is no valid one. */
export function exchangeQuery(locale: Locale): ApiQuery<ExchangeRate | undefined> {
  return apiQuery("/api/figures", { query: { locale, group: ["exchange"] } }, ({ figures }) => {
    const { exchange } = asRecord(figures);
    return Array.isArray(exchange) ? exchange.find(isRate) : undefined;
  });
}

function isRate(entry: Partial<ExchangeRate> & { key?: unknown }): entry is ExchangeRate {
  return (
    entry?.key === "pounds_per_euro" &&
    Number(entry.value) > 0 &&
    typeof entry.source === "string" &&
    !Number.isNaN(Date.parse(`${entry.date}`))
  );
}
