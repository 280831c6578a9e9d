import type { ApiBody, Article } from "#app/lib/api/types.ts";
import type { Locale } from "#app/lib/i18n/locale.ts";
import { type ApiQuery, apiQuery } from "#app/lib/query/api-query.ts";

/** Queries a page of news articles, newest first, without their bodies. */
export function newsQuery(locale: Locale, page = 1): ApiQuery<ApiBody<"/api/articles">> {
  return apiQuery("/api/articles", { query: page > 1 ? { locale, page } : { locale } });
}

export function articleQuery(locale: Locale, slug: string): ApiQuery<Article> {
  return apiQuery("/api/articles/{slug}", { path: { slug }, query: { locale } });
}
