import type { QueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import {
  createBrowserRouter,
  Outlet,
  type RouteObject,
  redirect,
  replace,
  ScrollRestoration,
} from "react-router";
import { LANGUAGE_TAG, localeOf, localizedPath, useLocale } from "#app/lib/i18n/locale.ts";
import { Broken, BrokenPage, LoadingPage, NotFoundPage } from "./features/shell/broken.tsx";
import { useFocusOnPage } from "./features/shell/focus-on-page.ts";
import { Frame } from "./features/shell/frame.tsx";
import { isSignedOut } from "./lib/api/call-error.ts";
import { makeClient } from "./lib/api/client.ts";
import { SESSION, sessionQuery } from "./lib/api/queries.ts";
import { ownLanguage, pathInOwnLanguage } from "./lib/language.ts";
import { pathAfterSignIn, signInPath } from "./lib/sign-in-path.ts";

/** Provides the language, which is part of the path as on the site, to the shared components. */
function Root() {
  const locale = useLocale();
  useEffect(() => {
    document.documentElement.lang = LANGUAGE_TAG[locale];
  }, [locale]);
  useFocusOnPage();
  return (
    <>
      <Outlet />
      <ScrollRestoration />
    </>
  );
}

function routes(client: QueryClient): RouteObject[] {
  return [
    {
      path: "es?",
      Component: Root,
      HydrateFallback: LoadingPage,
      ErrorBoundary: Broken,
      loader: ({ request }) => {
        const other = pathInOwnLanguage(new URL(request.url), ownLanguage());
        return other ? redirect(other) : null;
      },
      children: [
        {
          path: "sign-in",
          lazy: () => import("./routes/sign-in.tsx"),
          loader: async ({ request }) => {
            try {
              await client.query({ ...sessionQuery, staleTime: 0 });
            } catch {
              // Any other error shows up when the operator signs in.
              return null;
            }
            // Another page has signed in, or the proxy in front of the console.
            const { pathname, searchParams } = new URL(request.url);
            return replace(pathAfterSignIn(searchParams, localizedPath(localeOf(pathname), "/")));
          },
        },
        {
          Component: Frame,
          loader: async ({ request }) => {
            try {
              await client.query(sessionQuery);
              return null;
            } catch (error) {
              if (!isSignedOut(error)) throw error;
              return redirect(signInPath(new URL(request.url)));
            }
          },
          children: [
            {
              ErrorBoundary: BrokenPage,
              children: [
                { index: true, lazy: () => import("./routes/flow.tsx") },
                { path: "publishes", lazy: () => import("./routes/publishes.tsx") },
                { path: "parked", lazy: () => import("./routes/parked.tsx") },
                { path: "stores", lazy: () => import("./routes/stores.tsx") },
                { path: "visitors", lazy: () => import("./routes/visitors.tsx") },
                { path: "deliveries", lazy: () => import("./routes/deliveries.tsx") },
                { path: "audit", lazy: () => import("./routes/audit.tsx") },
                { path: "*", Component: NotFoundPage },
              ],
            },
          ],
        },
      ],
    },
    { path: "*", loader: () => redirect("/") },
  ];
}

/** Makes the console's router and query client. An ended session leads to the sign-in page, and back. */
export function makeConsole() {
  const client = makeClient(() => {
    const url = new URL(location.href);
    if (router.state.navigation.location?.pathname.endsWith("/sign-in")) return;
    if (url.pathname === localizedPath(localeOf(url.pathname), "/sign-in")) return;
    client.removeQueries({ queryKey: [SESSION] });
    void router.navigate(signInPath(url, true), { replace: true });
  });
  const router = createBrowserRouter(routes(client));
  return { client, router };
}
