import { Suspense } from "react";
import { Outlet } from "react-router";
import { Background } from "#app/features/shell/background.tsx";
import { Footer } from "#app/features/shell/footer.tsx";
import { Header } from "#app/features/shell/header.tsx";
import { SkipLink } from "#app/features/shell/skip-link.tsx";
import { layoutData } from "#app/lib/query/page.server.ts";
import { browserPage, type PageLoad } from "#app/lib/query/page.ts";
import { lazy } from "#app/lib/release/lazy.ts";
import { useAnalytics } from "#app/lib/site/analytics.ts";
import { siteQuery } from "#app/lib/site/site-query.ts";
import { ProgressBar } from "#app/ui/progress-bar.tsx";
import { ToastArea } from "#app/ui/toast-area.tsx";

const Consent = lazy(() => import("#app/features/consent/consent.tsx"));

const load: PageLoad = async (read, { locale }) => {
  await read(siteQuery(locale));
};

export const loader = layoutData(load);
export const clientLoader = browserPage(load);

export default function Layout() {
  const analytics = useAnalytics();
  return (
    <>
      <SkipLink />
      <ProgressBar />
      <Suspense>
        <Header />
      </Suspense>
      <main id="content" tabIndex={-1} className="flex flex-1 flex-col outline-none">
        <Suspense>
          <Outlet />
        </Suspense>
      </main>
      <Suspense>
        <Footer />
      </Suspense>
      {/* What stands at the window's foot, one above the other and never one over the other. */}
      <div className="pointer-events-none fixed inset-x-0 bottom-0 z-50 flex flex-col print:hidden">
        <ToastArea />
        {analytics ? (
          <Suspense>
            <Consent analytics={analytics} />
          </Suspense>
        ) : null}
      </div>
      <Background offline />
    </>
  );
}
