import { data, redirect } from "react-router";
import { type Locale, localeOf, localizedPath, neutralPath } from "#app/lib/i18n/locale.ts";
import { LIST_PATH, listAt } from "#app/lib/search/list-path.ts";
import { apiQuery, isGone } from "./api-query.ts";
import type { Failure, PageAddress, Read } from "./page.ts";

/** No browser follows more redirects than that. */
const MAX_STEPS = 20;
const GONE = 410;

/**
 * Where an address leads that no page has: what the editors say of it, a new address or that it is gone;
 * else, where it has capitals, the same in small letters. Where it leads nowhere, or round in a ring, it is
 * the `failure` that it was.
 */
export async function movedFrom(
  read: Read,
  { locale, url }: PageAddress,
  failure: Failure,
): Promise<unknown> {
  const led = await leadFrom(read, locale, url);
  // What is known of a home that is gone says more than its status.
  if (led?.code === GONE && failure.init?.status !== GONE) return data(null, { status: GONE });
  if (led?.address === undefined || (await goesRound(read, url, led.address))) return failure;
  return redirect(led.address, led.code);
}

interface Lead {
  readonly code: number;
  /** None of what is gone. */
  readonly address?: string;
}

async function leadFrom(read: Read, locale: Locale, url: URL): Promise<Lead | undefined> {
  const own = inSmallLetters(url.pathname);
  let leadsBack = own === url.pathname;
  // An editor who names an English path means the page, in both languages.
  for (const path of new Set([url.pathname, own].flatMap((each) => [each, neutralPath(each)]))) {
    try {
      const { to, code } = await read(apiQuery("/api/moved", { query: { path } }));
      if (code === GONE) return { code };
      if (!to) continue;
      const address = addressOf(localizedPath(localeOf(to) === "es" ? "es" : locale, to), url);
      if (address?.split(/[?#]/)[0] === url.pathname) leadsBack = true;
      else if (address) return { code, address };
    } catch (error) {
      if (!isGone(error)) throw error;
    }
  }
  return leadsBack ? undefined : { code: 301, address: own + url.search };
}

/** Whether `address`, to which `from` leads, leads back there, or round behind it, and past no page. */
async function goesRound(read: Read, from: URL, address: string): Promise<boolean> {
  const past = new Set([from.pathname]);
  for (let next: string | undefined = address; next !== undefined; ) {
    const url = new URL(next, from);
    if (url.origin !== from.origin) return false;
    if (past.has(url.pathname) || past.size > MAX_STEPS) {
      const [, ...led] = past;
      return !(await hasPage(read, led));
    }
    past.add(url.pathname);
    next = (await leadFrom(read, localeOf(url.pathname), url))?.address;
  }
  return false;
}

/** Whether any of `paths` has a page: it is shown, and what would lead on from there leads nobody. */
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

/** What the page at a path is made from; nothing where there can be none, and it may be gone. */
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
  // Of the home itself its page keeps another part than this would.
  return read(apiQuery("/api/properties/{ref}/comparable", { path: { ref }, query }));
}

/** The page of a home, or what stands under it: its list, its reference and the rest. */
const HOME = /^((?:\/es)?\/property-for-sale\/[^/]+\/)([^/]+)(.*)$/i;

/** A path in small letters, but for a home's reference, which most are written in capitals. */
function inSmallLetters(pathname: string): string {
  const [, list = "", reference = "", rest = pathname] = HOME.exec(pathname) ?? [];
  return small(list) + reference + small(rest);
}

/** What is escaped stays as it is, in capitals too. */
function small(text: string): string {
  return text.replace(/%..|[A-Z]+/g, (part) => (part.startsWith("%") ? part : part.toLowerCase()));
}

/** What an editor wrote, as a header can hold it: an accent is escaped. None where it leads nowhere. */
function addressOf(written: string, url: URL): string | undefined {
  if (!URL.canParse(written, url)) return undefined;
  const { origin, pathname, search, hash, href } = new URL(written, url);
  if (origin !== url.origin) return href;
  return pathname + (search || searchFor(pathname, url)) + hash;
}

/** What was searched for in a place goes on in the one that it was merged into, from the first page. */
function searchFor(pathname: string, { pathname: from, searchParams }: URL): string {
  if (!listAt(pathname) || !listAt(from)) return "";
  const kept = new URLSearchParams(searchParams);
  kept.delete("page");
  return kept.size > 0 ? `?${kept}` : "";
}
