import type { PropertyDetail } from "#app/lib/api/types.ts";
import { Boundary } from "#app/lib/browser/boundary.tsx";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { lazy } from "#app/lib/release/lazy.ts";
import { Breadcrumbs, type Crumb } from "#app/ui/breadcrumbs.tsx";
import { detailMessages } from "../detail-messages.ts";
import { Share } from "../share/share.tsx";
import { useFoundIn } from "./found-in.ts";

/** Loaded on demand: few visitors come from a search, and the server never knows it. */
const InSearch = lazy(() => import("./in-search.tsx"));

interface PropertyNavigationProps {
  property: PropertyDetail;
  crumbs: readonly Crumb[];
  /** The absolute URL of the page. */
  url: string;
}

/**
 * The breadcrumbs, and the navigation within the search that led to the home. It is a single line on every
 * screen, so that the navigation causes no layout shift when it appears.
 */
export function PropertyNavigation({ property, crumbs, url }: PropertyNavigationProps) {
  const d = useMessages(detailMessages);
  const foundIn = useFoundIn();
  return (
    <div className="flex items-center justify-between gap-x-3 narrow:flex-wrap sm:gap-x-6 print:hidden">
      <div className={foundIn ? "one-line max-xl:hidden" : "one-line"}>
        <Breadcrumbs label={d.crumbs} crumbs={crumbs} />
      </div>
      {foundIn ? (
        <Boundary fallback={<span />}>
          <InSearch reference={property.ref} foundIn={foundIn} />
        </Boundary>
      ) : null}
      <Share property={property} url={url} />
    </div>
  );
}
