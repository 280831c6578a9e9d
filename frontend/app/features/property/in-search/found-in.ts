import { useLocation } from "react-router";
import type { ApiParameters } from "#app/lib/api/types.ts";
import { useHydrated } from "#app/lib/browser/use-hydrated.ts";
import { useLocale } from "#app/lib/i18n/locale.ts";

/** The search that a home was found in, as links carry it in the history's state (`{ foundIn }`). */
export interface FoundIn {
  /** The list's address, without its language. */
  list: string;
  /** The search as the API is asked for it. */
  search: ApiParameters<"/api/properties">["query"];
  /** The home's place among all that the search finds, the first being 1. */
  position: number;
  /** How many steps ago the list was left; 1 on the way from the list itself. */
  steps?: number;
}

/**
 * The search that led to this page. None for who came from elsewhere, and none while a document
 * hydrates: the server that made it knows no history.
 */
export function useFoundIn(): FoundIn | undefined {
  const { state } = useLocation();
  const locale = useLocale();
  const given = (state as { foundIn?: FoundIn } | null)?.foundIn;
  const foundIn = useHydrated() ? given : undefined;
  // It may have been made in the other language.
  return foundIn && { ...foundIn, search: { ...foundIn.search, locale } };
}
