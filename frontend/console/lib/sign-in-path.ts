import { isOwnPath } from "#app/lib/account/next-path.ts";
import { localeOf, localizedPath } from "#app/lib/i18n/locale.ts";

const PATH = "/sign-in";
/** Says that there was a session before. */
const ENDED = "ended";

/**
 * Where who is not signed in is led from `url`, and from there back to it. Who `wasIn` is told that
 * their session has ended.
 */
export function signInPath(url: URL, wasIn = false): string {
  const page = url.pathname + url.search;
  const path = localizedPath(localeOf(url.pathname), PATH);
  const home = localizedPath(localeOf(url.pathname), "/");
  const search = new URLSearchParams();
  if (page !== home && isOwnPath(page)) search.set("next", page);
  if (wasIn) search.set(ENDED, "1");
  return search.size > 0 ? `${path}?${search}` : path;
}

/** Whether a session has ended that somebody was in. */
export function hasEnded(search: URLSearchParams): boolean {
  return search.has(ENDED);
}

/** Where to go on after signing in: a page of the console, and never another's. */
export function pathAfter(search: URLSearchParams, home: string): string {
  const next = search.get("next") ?? "";
  return isOwnPath(next) && !next.startsWith("/api/") ? next : home;
}
