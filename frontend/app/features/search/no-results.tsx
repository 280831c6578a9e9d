import { saveSearchPath } from "#app/lib/account/saved-searches.ts";
import type { PropertyList } from "#app/lib/api/types.ts";
import { defineMessages, useMessages } from "#app/lib/i18n/messages.ts";
import { EVERYTHING, type Search, searchPath } from "#app/lib/search/search-params.ts";
import { buttonStyle } from "#app/ui/button.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { Link } from "#app/ui/link.tsx";
import { type AppliedFilter, without } from "./applied-filters.tsx";
import { asksForHomes } from "./asks-for-homes.ts";
import { searchMessages } from "./messages.ts";

const messages = defineMessages({
  en: {
    nothing: "Nothing matches just now",
    nothingText: "Try fewer filters, or tell us what you are looking for.",
    loosen: "Remove one filter to see results:",
    without: (what: string) => `Remove: ${what}`,
    alert: "Email me when there is one",
  },
  es: {
    nothing: "Ahora mismo no hay nada así",
    nothingText: "Pruebe con menos filtros o cuéntenos qué busca.",
    loosen: "Con un filtro menos ya hay algo:",
    without: (what) => `Quitar: ${what}`,
    alert: "Avísenme cuando haya alguna",
  },
});

interface NoResultsProps {
  search: Search;
  filters: readonly AppliedFilter[];
  loosen: PropertyList["loosen"];
}

/** Suggests which filter to remove and how many homes that would show, and offers an alert for new homes. */
export default function NoResults({ search, filters, loosen }: NoResultsProps) {
  const t = useMessages(messages);
  const s = useMessages(searchMessages);
  const ways = loosen.flatMap(({ parameters, count }) => {
    const dropped = filters.filter(({ parameter }) => parameters.includes(parameter));
    if (dropped.length === 0 || count === 0) return [];
    const what = dropped.map(({ label }) => label).join(", ");
    const loosened = without(
      search,
      dropped.map(({ parameter }) => parameter),
    );
    return [{ what, count, ofHomes: asksForHomes(loosened), to: searchPath(loosened) }];
  });
  return (
    <EmptyState title={t.nothing}>
      {ways.length > 0 ? (
        <>
          <p className="mt-2 max-w-[48ch] text-muted">{t.loosen}</p>
          <ul className="mt-5 flex flex-wrap justify-center gap-3">
            {ways.map(({ what, count, ofHomes, to }) => (
              <li key={what}>
                <Link
                  to={to}
                  state={{ chip: 0 }}
                  preventScrollReset
                  className={`${buttonStyle.outline} wrap-anywhere max-sm:flex-col max-sm:gap-1`}
                >
                  {t.without(what)}
                  <span className="font-normal whitespace-nowrap text-muted">
                    {s.count(count, ofHomes)}
                  </span>
                </Link>
              </li>
            ))}
          </ul>
        </>
      ) : (
        <p className="mt-2 max-w-[48ch] text-muted">{t.nothingText}</p>
      )}
      <Link to={saveSearchPath(search)} rel="nofollow" className={`${buttonStyle.primary} mt-7`}>
        <Icon name="bell" />
        {t.alert}
      </Link>
      <Link
        to={searchPath({ ...EVERYTHING, view: search.view })}
        state={{ chip: 0 }}
        preventScrollReset
        className="text-link mt-4 inline-flex min-h-9 items-center px-2 font-medium"
      >
        {s.clear}
      </Link>
    </EmptyState>
  );
}
