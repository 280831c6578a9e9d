import { useState } from "react";
import { useNavigate } from "react-router";
import { localizedPath, useLocale } from "#app/lib/i18n/locale.ts";
import { type Search, searchPath } from "#app/lib/search/search-params.ts";

/** The search as the map shows it, and how the map changes it. */
export interface MapSearch {
  readonly search: Search;
  /** In place of the page's address: the way back leads to before the map was moved. */
  change(changes: Pick<Partial<Search>, "bbox" | "area">): void;
}

/**
 * The map goes ahead of its page: it asks for what it was moved to at once, while the page is still
 * loading the list. A page that comes with another search than the map's own last one decides.
 */
export function useMapSearch(given: Search): MapSearch {
  const navigate = useNavigate();
  const locale = useLocale();
  const from = searchPath(given);
  const [ahead, setAhead] = useState<{ from: string; search: Search }>();
  const search = ahead?.from === from ? ahead.search : given;
  return {
    search,
    change: (changes) => {
      const next = { ...search, ...changes, page: 1 };
      if (searchPath(next) === searchPath(search)) return;
      setAhead({ from, search: next });
      void navigate(localizedPath(locale, searchPath(next)), {
        replace: true,
        preventScrollReset: true,
      });
    },
  };
}
