import { isOwnPath } from "#app/lib/account/next-path.ts";
import { localeOf, localizedPath } from "#app/lib/i18n/locale.ts";

const PATH = "/sign-in";

/** Where who is not signed in is led from `url`, and from there back to it. */
export function signInPath(url: URL): string {
  const page = url.pathname + url.search;
  const path = localizedPath(localeOf(url.pathname), PATH);
  const home = localizedPath(localeOf(url.pathname), "/");
  return page === home || !isOwnPath(page)
    ? path
    : `${path}?${new URLSearchParams({ next: page })}`;
}

/** Where to go on after signing in: a page of the console, and never another's. */
export function pathAfter(search: URLSearchParams, home: string): string {
  const next = search.get("next") ?? "";
  return isOwnPath(next) && !next.startsWith("/api/") ? next : home;
}
