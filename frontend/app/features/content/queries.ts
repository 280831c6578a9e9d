import type { Article, ContentPage } from "#app/lib/api/coming.ts";
import type { ApiBody } from "#app/lib/api/types.ts";
import type { Locale } from "#app/lib/i18n/locale.ts";
import { type ApiQuery, apiQuery } from "#app/lib/query/api-query.ts";

export type Doc = ApiBody<"/api/docs">;
export type DocLink = NonNullable<Doc["contents"]>[number];

/** A guide, legal text or landing page. */
export function pageQuery(locale: Locale, slug: string): ApiQuery<ContentPage> {
  const query = apiQuery("/api/pages/{slug}", { path: { slug }, query: { locale } });
  return query as unknown as ApiQuery<ContentPage>;
}

/** The news, the newest first, without their texts. */
export function newsQuery(locale: Locale): ApiQuery<{ items: Article[] }> {
  const query = apiQuery("/api/articles", { query: { locale } });
  return query as unknown as ApiQuery<{ items: Article[] }>;
}

export function articleQuery(locale: Locale, slug: string): ApiQuery<Article> {
  const query = apiQuery("/api/articles/{slug}", { path: { slug }, query: { locale } });
  return query as unknown as ApiQuery<Article>;
}

/** A page of the documentation; the empty slug is its index. */
export function docQuery(locale: Locale, slug: string): ApiQuery<Doc> {
  return slug === ""
    ? apiQuery("/api/docs", { query: { locale } })
    : apiQuery("/api/docs/{*slug}", { path: { slug }, query: { locale } });
}
