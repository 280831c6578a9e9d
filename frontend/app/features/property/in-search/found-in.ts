import { useLocation } from "react-router";
import { useHydrated } from "#app/lib/browser/use-hydrated.ts";
import { useLocale } from "#app/lib/i18n/locale.ts";
import type { FoundIn, NavigationState } from "#app/lib/search/navigation-state.ts";

/**
 * Returns the search that led to this page; undefined if the visitor came from elsewhere. Also undefined during
 * hydration: the server does not know the history.
 */
export function useFoundIn(): FoundIn | undefined {
  const state: NavigationState | null = useLocation().state;
  const locale = useLocale();
  const foundIn = useHydrated() ? state?.foundIn : undefined;
  // The search may have been made in the other language.
  return foundIn && { ...foundIn, search: { ...foundIn.search, locale } };
}
