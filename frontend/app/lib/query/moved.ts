import { data, redirect } from "react-router";
import { type Locale, localeOf, localizedPath, neutralPath } from "#app/lib/i18n/locale.ts";
import { LIST_PATH, listAt } from "#app/lib/search/list-path.ts";
import { apiQuery, isGone } from "./api-query.ts";
import type { Failure, PageAddress, Read } from "./page.ts";

/** No browser follows more redirects than this. */
const MAX_STEPS = 20;
const GONE = 410;

/**
 * Resolves an address that has no page: to what the editors have entered for it, a new address or 410; or
 * else, if it has capitals, to its lower-case form. If it leads nowhere, or into a redirect loop, the result
 * is the original `failure`.
 */
export async function movedFrom(
  read: Read,
  { locale, url }: PageAddress,
  failure: Failure,
): Promise<unknown> {
  const target = await nextTarget(read, locale, url);
  // The details of a home that is gone say more than a bare 410.
  if (target?.code === GONE && failure.init?.status !== GONE) return data(null, { status: GONE });
  if (target?.address === undefined || (await isRedirectLoop(read, url, target.address)))
    return failure;
  return redirect(target.address, target.code);
}

interface Target {
  readonly code: number;
  /** Undefined if the page is gone. */
  readonly address?: string;
}

async function nextTarget(read: Read, locale: Locale, url: URL): Promise<Target | undefined> {
  const lowerCasePath = lowerCased(url.pathname);
  let leadsToItself = lowerCasePath === url.pathname;
  // An editor who enters an English path means the page in both languages.
  for (const path of new Set(
    [url.pathname, lowerCasePath].flatMap((each) => [each, neutralPath(each)]),
  )) {
    try {
      const { to, code } = await read(apiQuery("/api/moved", { query: { path } }));
      if (code === GONE) return { code };
      if (!to) continue;
      const address = addressOf(localizedPath(localeOf(to) === "es" ? "es" : locale, to), url);
      if (address?.split(/[?#]/)[0] === url.pathname) leadsToItself = true;
      else if (address) return { code, address };
    } catch (error) {
      if (!isGone(error)) throw error;
    }
  }
  return leadsToItself ? undefined : { code: 301, address: lowerCasePath + url.search };
}

/** Returns whether the redirect from `from` to `address` ends in a loop that passes no existing page. */
async function isRedirectLoop(read: Read, from: URL, address: string): Promise<boolean> {
  const visited = new Set([from.pathname]);
  for (let next: string | undefined = address; next !== undefined; ) {
    const url = new URL(next, from);
    if (url.origin !== from.origin) return false;
    if (visited.has(url.pathname) || visited.size > MAX_STEPS) {
      const [, ...targets] = visited;
      return !(await hasPage(read, targets));
    }
    visited.add(url.pathname);
    next = (await nextTarget(read, localeOf(url.pathname), url))?.address;
  }
  return false;
}

/** Returns whether any of `paths` has a page: it is shown, so its own redirect is never followed. */
async function hasPage(read: Read, paths: readonly string[]): Promise<boolean> {
  for (const path of paths) {
    try {
      if (await pageAt(read, localeOf(path), neutralPath(path))) return true;
    } catch (error) {
      if (!isGone(error)) throw error;
    }
  }
  return false;
}

/**
 * Reads what the page at a path is made from. Resolves to undefined if there can't be such a page; rejects if
 * it does not exist or is gone.
 */
async function pageAt(read: Read, locale: Locale, path: string): Promise<unknown> {
  if (path === "/" || path === LIST_PATH) return true;
  const [, first = "", ...rest] = path.split("/");
  const [slug, ref] = rest;
  const query = { locale };
  if (first === "docs") {
    const slugPath = rest.join("/");
    return slug === undefined
      ? read(apiQuery("/api/docs", { query }))
      : read(apiQuery("/api/docs/{slugPath}", { path: { slugPath }, query }));
  }
  if (slug === undefined) {
    return read(apiQuery("/api/pages/{slug}", { path: { slug: first }, query }));
  }
  if (first === "news") return read(apiQuery("/api/articles/{slug}", { path: { slug }, query }));
  if (listAt(path)) return read(apiQuery("/api/locations/{slug}", { path: { slug }, query }));
  if (ref === undefined || !path.startsWith(`${LIST_PATH}/`)) return undefined;
  // Not the home's own query: its cached answer would be reduced in another way than the page's.
  return read(apiQuery("/api/properties/{ref}/comparable", { path: { ref }, query }));
}

/** The page of a home, or a path below it: its list, its reference and the rest. */
const HOME = /^((?:\/es)?\/property-for-sale\/[^/]+\/)([^/]+)(.*)$/i;

/** Returns a path in lower case, except for a home's reference, which is usually in capitals. */
function lowerCased(pathname: string): string {
  const [, list = "", reference = "", rest = pathname] = HOME.exec(pathname) ?? [];
  return lowerCaseUnescaped(list) + reference + lowerCaseUnescaped(rest);
}

/** Percent-escapes are left unchanged, capitals included. */
function lowerCaseUnescaped(text: string): string {
  return text.replace(/%..|[A-Z]+/g, (part) => (part.startsWith("%") ? part : part.toLowerCase()));
}

/**
 * Returns the address that an editor entered in a form that fits a header, with accents escaped; undefined if
 * it is invalid.
 */
function addressOf(entered: string, url: URL): string | undefined {
  if (!URL.canParse(entered, url)) return undefined;
  const { origin, pathname, search, hash, href } = new URL(entered, url);
  if (origin !== url.origin) return href;
  return pathname + (search || searchFor(pathname, url)) + hash;
}

/**
 * Returns the search in a place's list for the list of the place that it was merged into, without the page
 * number.
 */
function searchFor(pathname: string, { pathname: from, searchParams }: URL): string {
  if (!listAt(pathname) || !listAt(from)) return "";
  const params = new URLSearchParams(searchParams);
  params.delete("page");
  return params.size > 0 ? `?${params}` : "";
}
