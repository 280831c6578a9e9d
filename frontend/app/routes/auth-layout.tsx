import { Outlet } from "react-router";
import { LanguageLinks } from "#app/features/shell/language-links.tsx";
import { LegalLinks } from "#app/features/shell/legal-links.tsx";
import { shellMessages } from "#app/features/shell/messages.ts";
import { Boundary } from "#app/lib/browser/boundary.tsx";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { layoutData } from "#app/lib/query/page.server.ts";
import { browserPage, type PageLoad } from "#app/lib/query/page.ts";
import { siteQuery, useSite } from "#app/lib/site/site-query.ts";
import { Card } from "#app/ui/card.tsx";
import { Link } from "#app/ui/link.tsx";
import { AlmijaraLogo } from "#app/ui/logo.tsx";
import { ProgressBar } from "#app/ui/progress-bar.tsx";
import { SkipLink } from "#app/ui/skip-link.tsx";
import { ThemeChoice } from "#app/ui/theme-choice.tsx";
import { LayoutFoot } from "./layout-foot.tsx";

const load: PageLoad = async (read, { locale }) => {
  await read(siteQuery(locale));
};

export const loader = layoutData(load);
export const clientLoader = browserPage(load);

/** The layout of the sign-in and alert pages: one card, without the site's menus. */
export default function AuthLayout() {
  const { settings } = useSite();
  const t = useMessages(shellMessages);
  return (
    <>
      <Boundary>
        <SkipLink />
      </Boundary>
      <ProgressBar />
      <Boundary>
        <header className="page-width flex min-h-16 flex-wrap items-center justify-between gap-x-2 py-1 narrow:flex-col narrow:items-start">
          <Link to="/" className="-my-1 py-1" aria-label={t.home(settings.companyName)}>
            <AlmijaraLogo width={112} />
          </Link>
          <div className="-mr-2.5 narrow:m-0">
            <LanguageLinks />
          </div>
        </header>
      </Boundary>
      <main
        id="content"
        tabIndex={-1}
        className="flex flex-1 items-center justify-center bg-sunk px-5 py-12 outline-none sm:py-16"
      >
        <Card className="w-full max-w-xl p-6 sm:p-10">
          <Boundary>
            <Outlet />
          </Boundary>
        </Card>
      </main>
      <Boundary>
        <footer className="page-width flex flex-wrap items-center justify-between gap-x-8 gap-y-4 py-6 text-sm text-muted">
          <LegalLinks />
          <ThemeChoice />
        </footer>
      </Boundary>
      <LayoutFoot />
    </>
  );
}
