import { useMessages } from "#app/lib/i18n/messages.ts";
import { type Search, searchPath, type View } from "#app/lib/search/search-params.ts";
import { Link } from "#app/ui/link.tsx";
import { searchMessages } from "./messages.ts";

/** The list alone, or with the map: two addresses of one search. */
export function ViewChoice({ search }: { search: Search }) {
  const t = useMessages(searchMessages);
  const names: Record<View, string> = { list: t.listView, map: t.mapView };
  return (
    <nav aria-label={t.views} className="flex rounded-full border border-line-strong p-0.5">
      {(["list", "map"] as const).map((view) => (
        <Link
          key={view}
          to={searchPath({ ...search, view })}
          rel="nofollow"
          preventScrollReset
          aria-current={search.view === view ? "page" : undefined}
          className="inline-flex min-h-10 items-center rounded-full px-4 text-sm font-medium transition-colors hover:bg-sunk aria-[current=page]:bg-sun aria-[current=page]:text-on-sun"
        >
          {names[view]}
        </Link>
      ))}
    </nav>
  );
}
