import { Outlet } from "react-router";
import { Footer } from "#app/features/shell/footer.tsx";
import { Header } from "#app/features/shell/header.tsx";
import { shellMessages } from "#app/features/shell/messages.ts";
import { RouteAnnouncer } from "#app/features/shell/route-announcer.tsx";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { LiveChanges } from "#app/lib/live/live-changes.tsx";
import { KeepOffline } from "#app/lib/offline/keep-offline.tsx";
import { serverPage } from "#app/lib/query/page.server.ts";
import { browserPage, type PageLoad } from "#app/lib/query/page.ts";
import { Seeded } from "#app/lib/query/seed.tsx";
import { siteQuery } from "#app/lib/site/site-query.ts";
import { ProgressBar } from "#app/ui/progress-bar.tsx";
import type { Route } from "./+types/layout.ts";

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
  const t = useMessages(shellMessages);
  return (
    <>
      <a
        href="#content"
        className="fixed top-2 left-2 z-50 -translate-y-20 rounded-full bg-sun px-5 py-3 font-semibold text-on-sun focus:translate-y-0"
      >
        {t.skip}
      </a>
      <ProgressBar />
      <Header />
      <main id="content" tabIndex={-1} className="flex flex-1 flex-col outline-none">
        <Outlet />
      </main>
      <Footer />
      <RouteAnnouncer />
      <LiveChanges />
      <KeepOffline />
    </>
  );
}
