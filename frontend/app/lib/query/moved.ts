import { data, redirect } from "react-router";
import { localeOf, localizedPath, neutralPath } from "#app/lib/i18n/locale.ts";
import { apiQuery, isGone } from "./api-query.ts";
import type { Failure, PageAddress, Read } from "./page.ts";

/**
 * Where an address leads that no page has: what the editors say of it, a new address or that it is gone;
 * else, where it has capitals, the same in small letters. Where it leads nowhere it is the `failure`
 * that it was.
 */
export async function movedFrom(
  read: Read,
  { locale, url }: PageAddress,
  failure: Failure,
): Promise<unknown> {
  const own = inSmallLetters(url.pathname);
  let leadsBack = own === url.pathname;
  // An editor who names an English path means the page, in both languages.
  for (const path of new Set([url.pathname, own].flatMap((each) => [each, neutralPath(each)]))) {
    try {
      const { to, code } = await read(apiQuery("/api/moved", { query: { path } }));
      // What is known of a home that is gone says more than its status.
      if (code === 410) return failure.init?.status === 410 ? failure : data(null, { status: 410 });
      if (!to) continue;
      const address = addressOf(localizedPath(localeOf(to) === "es" ? "es" : locale, to), url);
      if (address?.split(/[?#]/)[0] === url.pathname) leadsBack = true;
      else if (address) return redirect(address, code);
    } catch (error) {
      if (!isGone(error)) throw error;
    }
  }
  return leadsBack ? failure : redirect(own + url.search, 301);
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
  return origin === url.origin ? pathname + search + hash : href;
}
