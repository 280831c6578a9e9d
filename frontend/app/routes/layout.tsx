import { Outlet } from "react-router";
import { Footer } from "#app/features/shell/footer.tsx";
import { Header } from "#app/features/shell/header.tsx";
import { Boundary } from "#app/lib/browser/boundary.tsx";
import { layoutData } from "#app/lib/query/page.server.ts";
import { browserPage, type PageLoad } from "#app/lib/query/page.ts";
import { siteQuery } from "#app/lib/site/site-query.ts";
import { ProgressBar } from "#app/ui/progress-bar.tsx";
import { SkipLink } from "#app/ui/skip-link.tsx";
import { LayoutFoot } from "./layout-foot.tsx";

const load: PageLoad = async (read, { locale }) => {
  await read(siteQuery(locale));
};

export const loader = layoutData(load);
export const clientLoader = browserPage(load);

export default function Layout() {
  return (
    <>
      <Boundary>
        <SkipLink />
      </Boundary>
      <ProgressBar />
      <Boundary>
        <Header />
      </Boundary>
      <main id="content" tabIndex={-1} className="flex flex-1 flex-col outline-none">
        <Boundary>
          <Outlet />
        </Boundary>
      </main>
      <Boundary>
        <Footer />
      </Boundary>
      <LayoutFoot />
    </>
  );
}
