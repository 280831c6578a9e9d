import { useMessages } from "#app/lib/i18n/messages.ts";
import { type Search, searchPath, type View } from "#app/lib/search/search-params.ts";
import { Link } from "#app/ui/link.tsx";
import { searchMessages } from "./messages.ts";

/** Links to the two views of a search: the list alone, or with the map. */
export function ViewChoice({ search }: { search: Search }) {
  const t = useMessages(searchMessages);
  const names: Record<View, string> = { list: t.listView, map: t.mapView };
  return (
    <nav aria-label={t.views} className="view-choice">
      {(["list", "map"] as const).map((view) => (
        <Link
          key={view}
          to={searchPath({ ...search, view })}
          rel="nofollow"
          preventScrollReset
          state={{ chosen: view }}
          aria-current={search.view === view ? "page" : undefined}
        >
          {names[view]}
        </Link>
      ))}
    </nav>
  );
}
