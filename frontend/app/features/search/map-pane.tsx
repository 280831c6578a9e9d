import { type ReactNode, Suspense } from "react";
import { useHydrated } from "#app/lib/browser/use-hydrated.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Link } from "#app/ui/link.tsx";
import { searchMessages } from "./messages.ts";
import { type Search, searchPath } from "./search-params.ts";

/** Where the map stands. It is drawn in the browser; the document has the list in its place. */
export function MapPane({ search, children }: { search: Search; children: ReactNode }) {
  const t = useMessages(searchMessages);
  const inBrowser = useHydrated();
  const wall = <div className="plaster size-full rounded-card no-script:hidden" />;
  return (
    <section aria-label={t.mapView} className="map-pane">
      {inBrowser ? <Suspense fallback={wall}>{children}</Suspense> : wall}
      <p className="hidden rounded-card bg-sunk p-5 no-script:block">
        {t.mapNeedsScript}{" "}
        <Link to={searchPath({ ...search, view: "list" })} className="text-link">
          {t.listView}
        </Link>
      </p>
    </section>
  );
}
