import type { ApiBody, TeamMember } from "#app/lib/api/types.ts";
import { type Locale, useLocale } from "#app/lib/i18n/locale.ts";
import { type ApiQuery, apiQuery, useAnswer } from "#app/lib/query/api-query.ts";

const ADMINISTRATION = "proadner-property-administration";

/** Queries the team members, in the editors' order. */
export function teamQuery(locale: Locale): ApiQuery<ApiBody<"/api/team">> {
  return apiQuery("/api/team", { query: { locale } });
}

/** Returns the people that `page` presents: the administration's page its own team, any other page everybody. */
export function useTeam(page: string): TeamMember[] {
  const { items } = useAnswer(teamQuery(useLocale()));
  const administration = items.filter((member) => member.administration);
  return page === ADMINISTRATION && administration.length > 0 ? administration : items;
}
