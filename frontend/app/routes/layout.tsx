import { lazy, Suspense } from "react";
import { Outlet } from "react-router";
import { Footer } from "#app/features/shell/footer.tsx";
import { Header } from "#app/features/shell/header.tsx";
import { RouteAnnouncer } from "#app/features/shell/route-announcer.tsx";
import { SkipLink } from "#app/features/shell/skip-link.tsx";
import { ToastArea } from "#app/features/toast/toast-area.tsx";
import { LiveChanges } from "#app/lib/live/live-changes.tsx";
import { KeepOffline } from "#app/lib/offline/keep-offline.tsx";
import { serverPage } from "#app/lib/query/page.server.ts";
import { browserPage, type PageLoad } from "#app/lib/query/page.ts";
import { Seeded } from "#app/lib/query/seed.tsx";
import { NewBuild } from "#app/lib/release/new-build.tsx";
import { useAnalytics } from "#app/lib/site/analytics.ts";
import { siteQuery } from "#app/lib/site/site-query.ts";
import { ProgressBar } from "#app/ui/progress-bar.tsx";
import type { Route } from "./+types/layout.ts";

const Consent = lazy(() => import("#app/features/consent/consent.tsx"));

const load: PageLoad = async (read, { locale }) => {
  await read(siteQuery(locale));
};

export const loader = serverPage(load);
export const clientLoader = browserPage(load);

export default function Layout({ loaderData }: Route.ComponentProps) {
  return (
    <Seeded seed={loaderData.seed}>
      <Frame />
    </Seeded>
  );
}

function Frame() {
  const analytics = useAnalytics();
  return (
    <>
      <SkipLink />
      <ProgressBar />
      <Header />
      <main id="content" tabIndex={-1} className="flex flex-1 flex-col outline-none">
        <Outlet />
      </main>
      <Footer />
      {/* What stands at the window's foot, one above the other and never one over the other. */}
      <div className="pointer-events-none fixed inset-x-0 bottom-0 z-50 flex flex-col print:hidden">
        <ToastArea />
        {analytics ? (
          <Suspense>
            <Consent analytics={analytics} />
          </Suspense>
        ) : null}
      </div>
      <RouteAnnouncer />
      <LiveChanges />
      <KeepOffline />
      <NewBuild />
    </>
  );
}
