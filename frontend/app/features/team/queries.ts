import type { ApiBody, TeamMember } from "#app/lib/api/types.ts";
import { type Locale, useLocale } from "#app/lib/i18n/locale.ts";
import { type ApiQuery, apiQuery, useAnswer } from "#app/lib/query/api-query.ts";

/** The people who work here, in the editors' order. */
export function teamQuery(locale: Locale): ApiQuery<ApiBody<"/api/team">> {
  return apiQuery("/api/team", { query: { locale } });
}

export function useTeam(): TeamMember[] {
  return useAnswer(teamQuery(useLocale())).items;
}
