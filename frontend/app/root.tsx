import { type ReactNode, use } from "react";
import {
  Links,
  Outlet,
  Scripts,
  ScrollRestoration,
  useLocation,
  useRouteError,
} from "react-router";
import { ErrorPage, statusOf } from "#app/features/error/error-page.tsx";
import { FeedLinks } from "#app/features/feed/feed-links.tsx";
import { RouteAnnouncer } from "#app/features/shell/route-announcer.tsx";
import { Boundary } from "#app/lib/browser/boundary.tsx";
import { LANGUAGE_TAG, localeOf, localizedPath } from "#app/lib/i18n/locale.ts";
import { SeedAnswers } from "#app/lib/query/seed.tsx";
import { ScriptMark } from "#app/lib/script-mark.ts";
import { analytics } from "#app/lib/server/analytics.server.ts";
import { recordRender, siteOrigin } from "#app/lib/server/render-record.server.ts";
import { WEB_MANIFEST } from "#app/lib/site/web-manifest.ts";
import { ForcedTheme, useForcedTheme } from "#app/lib/theme/forced-theme.ts";
import { systemBar, THEME_SCRIPT } from "#app/lib/theme/theme.ts";
import { UNITS_SCRIPT } from "#app/lib/units/units.ts";
import type { Route } from "./+types/root.ts";
import headingFont from "./styles/fonts/fraunces-display.woff2?url";
import textFont from "./styles/fonts/hanken-grotesk.woff2?url";
import "./styles/app.css";

export const middleware: Route.MiddlewareFunction[] = [recordRender];

export const links: Route.LinksFunction = () => [
  // Both fonts, 37 KB in total: a late font changes the size of a text and shifts what is below it.
  ...[headingFont, textFont].map((href) => ({
    rel: "preload" as const,
    href,
    as: "font" as const,
    type: "font/woff2",
    crossOrigin: "anonymous" as const,
  })),
  { rel: "icon", href: "/favicon.svg", type: "image/svg+xml" },
  { rel: "apple-touch-icon", href: "/apple-touch-icon.png", sizes: "180x180" },
];

/** Returns configuration that only the server knows, and that is the same for every page. */
export function loader() {
  const { BUILD_ID: build, MAP_BASEMAP } = process.env;
  return { origin: siteOrigin(), analytics, basemap: Boolean(MAP_BASEMAP), build };
}

export const shouldRevalidate = () => false;

export function Layout({ children }: { children: ReactNode }) {
  const { pathname } = useLocation();
  const locale = localeOf(pathname);
  const mark = use(ScriptMark);
  const forced = useForcedTheme();
  return (
    // The script below sets `data-theme` and `data-units` before React sees the element.
    <html
      lang={LANGUAGE_TAG[locale]}
      data-theme={forced}
      data-forced-theme={forced}
      suppressHydrationWarning
    >
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        {systemBar(forced).map(({ media, content }) => (
          <meta key={media} name="theme-color" media={media} content={content} />
        ))}
        <script
          nonce={mark}
          suppressHydrationWarning
          dangerouslySetInnerHTML={{
            // It has run before React hydrates, so the client bundle doesn't need its text.
            __html: import.meta.env.SSR ? `${THEME_SCRIPT};${UNITS_SCRIPT}` : "",
          }}
        />
        <Links />
        <link rel="manifest" href={localizedPath(locale, WEB_MANIFEST)} />
        <FeedLinks />
      </head>
      <body>
        {/* If hydration fails, on a translated page for example, React renders again from here, not the whole document. */}
        <Boundary>{children}</Boundary>
        <SeedAnswers />
        {/* The storage key is our own, since the page about cookies lists it. */}
        <ScrollRestoration storageKey="scroll-positions" />
        <Scripts />
      </body>
    </html>
  );
}

export default function App() {
  return (
    <>
      <Outlet />
      <RouteAnnouncer />
      <ForcedTheme />
    </>
  );
}

/** Shown if not even the header's data could be loaded. */
export function ErrorBoundary() {
  return (
    <main className="flex flex-1">
      <ErrorPage status={statusOf(useRouteError())} />
    </main>
  );
}
