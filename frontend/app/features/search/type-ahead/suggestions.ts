import type { ApiBody } from "#app/lib/api/types.ts";
import type { Locale } from "#app/lib/i18n/locale.ts";
import { type ApiQuery, apiQuery } from "#app/lib/query/api-query.ts";

export type Suggestions = ApiBody<"/api/suggest">;

/** Fewer letters than this mean nearly everything. */
export const MIN_LETTERS = 2;
/** What the API takes. */
const MAX_LETTERS = 100;

/** The text as it is asked for: how it is spaced changes nothing. */
export function askedText(text: string): string {
  return text.trim().replace(/\s+/g, " ").slice(0, MAX_LETTERS);
}

/** What completes what is being typed. */
export function suggestionsQuery(locale: Locale, q: string): ApiQuery<Suggestions> {
  return apiQuery("/api/suggest", { query: { q, locale } });
}
