import type { PropertyList } from "#app/lib/api/types.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { EVERYTHING, type Search, searchPath } from "#app/lib/search/search-params.ts";
import { buttonStyle } from "#app/ui/button.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { Link } from "#app/ui/link.tsx";
import { type AppliedFilter, without } from "./applied-filters.tsx";
import { searchMessages } from "./messages.ts";

interface NoResultsProps {
  search: Search;
  filters: readonly AppliedFilter[];
  loosen: PropertyList["loosen"];
  /** Whether there are only homes to live in. */
  homes: boolean;
}

/** Which filter to let go of, and how many homes that would give. */
export function NoResults({ search, filters, loosen, homes }: NoResultsProps) {
  const t = useMessages(searchMessages);
  const ways = loosen.flatMap(({ parameters, count }) => {
    const dropped = filters.filter(({ parameter }) => parameters.includes(parameter));
    if (dropped.length === 0 || count === 0) return [];
    const what = dropped.map(({ label }) => label).join(", ");
    const names = dropped.map(({ parameter }) => parameter);
    // Without its type or kind a search may find what is no home.
    const ofHomes = homes && !names.some((name) => name === "propertyType" || name === "kind");
    return [{ what, count, ofHomes, to: searchPath(without(search, names)) }];
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
                  preventScrollReset
                  className={`${buttonStyle.outline} max-sm:flex-col max-sm:gap-1`}
                >
                  {t.without(what)}
                  <span className="font-normal whitespace-nowrap text-muted">
                    {t.count(count, ofHomes)}
                  </span>
                </Link>
              </li>
            ))}
          </ul>
        </>
      ) : (
        <p className="mt-2 max-w-[48ch] text-muted">{t.nothingText}</p>
      )}
      <Link
        to={searchPath({ ...EVERYTHING, view: search.view })}
        preventScrollReset
        className="text-link mt-6 inline-flex min-h-9 items-center px-2 font-medium"
      >
        {t.clear}
      </Link>
    </EmptyState>
  );
}
