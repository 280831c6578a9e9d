import { useLocation } from "react-router";
import type { ApiParameters } from "#app/lib/api/types.ts";
import { useHydrated } from "#app/lib/browser/use-hydrated.ts";
import { useLocale } from "#app/lib/i18n/locale.ts";

/** The search in which a home was found. Links carry it in the history state (`{ foundIn }`). */
export interface FoundIn {
  /** The path of the list without its language prefix. */
  list: string;
  /** The search as API parameters. */
  search: ApiParameters<"/api/properties">["query"];
  /** The home's position in all results of the search, starting at 1. */
  position: number;
  /** The number of history steps back to the list; 1 when coming from the list itself. */
  steps?: number;
}

/**
 * Returns the search that led to this page; undefined if the visitor came from elsewhere. Also undefined during
 * hydration: the server does not know the history.
 */
export function useFoundIn(): FoundIn | undefined {
  const { state } = useLocation();
  const locale = useLocale();
  const given = (state as { foundIn?: FoundIn } | null)?.foundIn;
  const foundIn = useHydrated() ? given : undefined;
  // The search may have been made in the other language.
  return foundIn && { ...foundIn, search: { ...foundIn.search, locale } };
}
