import { useQuery, useQueryClient } from "@tanstack/react-query";
import { apiAddress } from "#app/lib/api/address.ts";
import type { Team } from "#app/lib/api/coming.ts";
import { type Locale, useLocale } from "#app/lib/i18n/locale.ts";
import { type ApiQuery, isGone } from "#app/lib/query/api-query.ts";
import type { Read } from "#app/lib/query/page.ts";

function teamQuery(locale: Locale): ApiQuery<Team> {
  return { queryKey: [apiAddress("/api/team", {}, { locale })] };
}

/** Asks for the team; a site that presents none is as good. */
export async function readTeam(read: Read, locale: Locale): Promise<void> {
  try {
    await read(teamQuery(locale));
  } catch (error) {
    if (!isGone(error)) throw error;
  }
}

/** The people who work here, in the editors' order, as far as the loader found any. */
export function useTeam(): Team["items"] {
  const query = teamQuery(useLocale());
  const known = useQueryClient().getQueryData(query.queryKey) !== undefined;
  return useQuery({ ...query, enabled: known }).data?.body.items ?? [];
}
