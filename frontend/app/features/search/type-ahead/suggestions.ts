import type { ApiBody } from "#app/lib/api/types.ts";
import type { Locale } from "#app/lib/i18n/locale.ts";
import { type ApiQuery, apiQuery } from "#app/lib/query/api-query.ts";

export type Suggestions = ApiBody<"/api/suggest">;

/** Fewer letters would match nearly everything. */
export const MIN_LETTERS = 2;
/** The limit of the API. */
const MAX_LETTERS = 100;

/** Normalizes the spaces and the length of a text, so that equal texts make one request. */
export function normalizedText(text: string): string {
  return text.trim().replace(/\s+/g, " ").slice(0, MAX_LETTERS);
}

/** The query for the suggestions that complete a typed text. */
export function suggestionsQuery(locale: Locale, q: string): ApiQuery<Suggestions> {
  return apiQuery("/api/suggest", { query: { q, locale } });
}
