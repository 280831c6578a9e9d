import { useParams, useRouteLoaderData } from "react-router";
import { AreaSeo } from "#app/features/account/area-seo.tsx";
import { NeedsScript, StorageNote } from "#app/features/property/my-homes/storage-note.tsx";
import { AfterHydration } from "#app/lib/browser/after-hydration.tsx";
import { privatePage } from "#app/lib/query/page.server.ts";
import { browserPage, notFound, type PageLoad } from "#app/lib/query/page.ts";
import { lazy } from "#app/lib/release/lazy.ts";
import type { loader as layoutLoader } from "./account-layout.tsx";

export { PageError as ErrorBoundary } from "#app/features/error/page-error.tsx";

const PARTS = [undefined, "compare", "recent", "hidden"];

const load: PageLoad = async (_, { params }) => {
  if (!PARTS.includes(params.part)) throw notFound();
};

export const loader = privatePage(load);
export const clientLoader = browserPage(load);

const MyHomes = lazy(() => import("#app/features/property/my-homes/my-homes-page.tsx"));

/** Shows the homes stored in this browser (favourites, comparison, recent, hidden); needs no account. */
export default function AccountHomes() {
  const { part } = useParams();
  const area = useRouteLoaderData<typeof layoutLoader>("routes/account-layout");
  return (
    <>
      <AreaSeo />
      <NeedsScript />
      <div className="min-h-96">
        <AfterHydration>
          <MyHomes part={part} />
        </AfterHydration>
      </div>
      {area?.signedIn ? null : <StorageNote />}
    </>
  );
}
