import { useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { localizedPath, useLocale } from "#app/lib/i18n/locale.ts";
import { useRouter } from "#app/lib/router-internals/use-router.ts";
import { parseAddress, pendingLocation } from "#app/lib/search/pending-location.ts";
import { type Search, searchPath } from "#app/lib/search/search-params.ts";

/** The search that the map shows, and a function that changes it. */
interface MapSearch {
  readonly search: Search;
  /** Replaces the history entry, so that the back button leads to before the map was moved. */
  change(changes: Pick<Partial<Search>, "bbox" | "area">): void;
}

/** A search that the map shows before the page does. */
interface Ahead {
  /**
   * The searches whose lists the page may show meanwhile: the one at the start, and those that were
   * loading.
   */
  from: readonly string[];
  search: Search;
  /** Whether it includes a navigation of the page: then the back button leads to before that one. */
  isStep: boolean;
}

/**
 * Lets the map be ahead of its page: it requests what it was moved to at once, while the page is still
 * loading the list. If the page arrives with a search that the map does not expect, the page's search wins.
 * A filter or an order that is still loading is not lost: the map adds its change to that search.
 */
export function useMapSearch(given: Search): MapSearch {
  const navigate = useNavigate();
  const router = useRouter();
  const { key } = useLocation();
  const locale = useLocale();
  const shown = searchPath(given);
  const [last, setAhead] = useState<Ahead>();
  const isAhead = last && shown !== searchPath(last.search) && last.from.includes(shown);
  const ahead = isAhead ? last : undefined;
  // Otherwise the back button would restore it.
  if (last && !ahead) setAhead(undefined);
  const search = ahead?.search ?? given;
  return {
    search,
    change: (changes) => {
      const address = router && pendingLocation(router.state, key);
      const coming = address && parseAddress(address);
      // The page is about to hide the map.
      if (coming && coming.view !== "map") return;
      const isOther = coming !== undefined && searchPath(coming) !== searchPath(search);
      const base = isOther ? coming : search;
      const next = { ...base, ...changes, page: 1 };
      if (searchPath(next) === searchPath(base)) return;
      const isStep = isOther || (ahead?.isStep ?? false);
      const from = [...(ahead?.from ?? [shown]), ...(coming ? [searchPath(coming)] : [])];
      setAhead({ from, search: next, isStep });
      void navigate(localizedPath(locale, searchPath(next)), {
        replace: !isStep,
        preventScrollReset: true,
      });
    },
  };
}
