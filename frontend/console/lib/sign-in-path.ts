import { isOwnPath } from "#app/lib/account/next-path.ts";
import { localeOf, localizedPath } from "#app/lib/i18n/locale.ts";

const PATH = "/sign-in";
/** The parameter that marks an ended session. */
const ENDED = "ended";

/**
 * Returns the path of the sign-in page, which returns to `url` after signing in. With `hadSession` the page
 * says that the session has ended.
 */
export function signInPath(url: URL, hadSession = false): string {
  const page = url.pathname + url.search;
  const path = localizedPath(localeOf(url.pathname), PATH);
  const home = localizedPath(localeOf(url.pathname), "/");
  const search = new URLSearchParams();
  if (page !== home && isOwnPath(page)) search.set("next", page);
  if (hadSession) search.set(ENDED, "1");
  return search.size > 0 ? `${path}?${search}` : path;
}

/** Whether the sign-in page was opened because a session had ended. */
export function hasEnded(search: URLSearchParams): boolean {
  return search.has(ENDED);
}

/** Returns the path to open after signing in. It is always a page of the console. */
export function pathAfterSignIn(search: URLSearchParams, home: string): string {
  const next = search.get("next") ?? "";
  return isOwnPath(next) && !next.startsWith("/api/") ? next : home;
}
