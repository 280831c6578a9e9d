import type { Site } from "#app/lib/api/types.ts";
import type { Locale } from "#app/lib/i18n/locale.ts";
import { useLocale } from "#app/lib/i18n/locale.ts";
import { type ApiQuery, apiQuery, useAnswer } from "#app/lib/query/api-query.ts";

/** Settings, menus and places: what every page shows. */
export function siteQuery(locale: Locale): ApiQuery<Site> {
  return apiQuery("/api/site", { query: { locale } });
}

export function useSite(): Site {
  return useAnswer(siteQuery(useLocale()));
}
