import type { ApiBody, TeamMember } from "#app/lib/api/types.ts";
import { type Locale, useLocale } from "#app/lib/i18n/locale.ts";
import { type ApiQuery, apiQuery, useAnswer } from "#app/lib/query/api-query.ts";

const ADMINISTRATION = "proadner-property-administration";

/** The people who work here, in the editors' order. */
export function teamQuery(locale: Locale): ApiQuery<ApiBody<"/api/team">> {
  return apiQuery("/api/team", { query: { locale } });
}

/** The people that `page` presents: its own page the property administration's, any other all. */
export function useTeam(page: string): TeamMember[] {
  const { items } = useAnswer(teamQuery(useLocale()));
  const administration = items.filter((member) => member.administration);
  return page === ADMINISTRATION && administration.length > 0 ? administration : items;
}
