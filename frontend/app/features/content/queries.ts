import type { ApiBody, ContentPage } from "#app/lib/api/types.ts";
import type { Locale } from "#app/lib/i18n/locale.ts";
import { type ApiQuery, apiQuery } from "#app/lib/query/api-query.ts";

type Doc = ApiBody<"/api/docs">;
export type DocLink = NonNullable<Doc["contents"]>[number];

/** Queries a guide, legal text or landing page. */
export function pageQuery(locale: Locale, slug: string): ApiQuery<ContentPage> {
  return apiQuery("/api/pages/{slug}", { path: { slug }, query: { locale } });
}

/** Queries a documentation page; the empty slug is the index. */
export function docQuery(locale: Locale, slug: string): ApiQuery<Doc> {
  return slug === ""
    ? apiQuery("/api/docs", { query: { locale } })
    : apiQuery("/api/docs/{slugPath}", { path: { slugPath: slug }, query: { locale } });
}
