import { useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { useRouter } from "#app/lib/browser/use-router.ts";
import { localizedPath, useLocale } from "#app/lib/i18n/locale.ts";
import { addressAhead, searchAt } from "#app/lib/search/ahead.ts";
import { type Search, searchPath } from "#app/lib/search/search-params.ts";

/** The search as the map shows it, and how the map changes it. */
interface MapSearch {
  readonly search: Search;
  /** In place of the page's address: the way back leads to before the map was moved. */
  change(changes: Pick<Partial<Search>, "bbox" | "area">): void;
}

/** Where the map has gone on to. */
interface Ahead {
  /** The searches whose lists may be shown until its own is: the one of then, and what came on the way. */
  from: readonly string[];
  search: Search;
  /** Whether a step of the page's own became part of it: then the way back leads to before that. */
  isStep: boolean;
}

/**
 * The map goes ahead of its page: it asks for what it was moved to at once, while the page is still
 * loading the list. A page that comes with another search than the map's own last one decides. A filter
 * or an order that is still on its way is not called off: the map goes on from there.
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
  // Else a step back would bring it up again.
  if (last && !ahead) setAhead(undefined);
  const search = ahead?.search ?? given;
  return {
    search,
    change: (changes) => {
      const address = router && addressAhead(router.state, key);
      const coming = address && searchAt(address);
      // The map is about to go.
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
