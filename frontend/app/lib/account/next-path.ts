import { type Locale, localeOf, localizedPath, neutralPath } from "#app/lib/i18n/locale.ts";

/** In characters; the write side has the same limit. */
const MAX_LENGTH = 2_000;

/**
 * Returns whether `path` is a path of this site that no browser reads as an address of another site, by the
 * same rules as the write side (`is_path`). Links to the sign-in page come from anywhere, and browsers drop
 * tabs and line breaks from an address and treat `\` as `/`.
 */
export function isOwnPath(path: string): boolean {
  return path.length <= MAX_LENGTH && /^\/(?![/\\])[!-[\]-~]*$/.test(path);
}

/**
 * Returns the path to go to after signing in, from an address or a form; empty if it is not a path of this
 * site.
 */
export function readNext(from: URLSearchParams | FormData): string {
  const next = from.get("next");
  return typeof next === "string" && isOwnPath(next) ? next : "";
}

/** Returns `path`, a sign-in page, with `next` as its query parameter if there is one. */
export function withNext(path: string, next: string): string {
  return next ? `${path}?${new URLSearchParams({ next })}` : path;
}

/** Returns `path` in the language of the page that leads there, unless it names its language itself. */
export function onwardPath(locale: Locale, path: string): string {
  return localeOf(path) === "es" ? path : localizedPath(locale, path);
}

/**
 * Returns where a sign-in page at `url` leads a visitor who is signed in already: to the path that its link
 * names if it is in the client area, and else to its first page.
 */
export function signedInPath({ pathname, searchParams }: URL): string {
  const next = readNext(searchParams);
  const isThere = /^\/account(\/|$)/.test(neutralPath(next));
  return onwardPath(localeOf(pathname), isThere ? next : "/account");
}
