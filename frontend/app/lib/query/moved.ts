import { data, redirect } from "react-router";
import { localeOf, localizedPath, neutralPath } from "#app/lib/i18n/locale.ts";
import { apiQuery, isGone } from "./api-query.ts";
import type { PageAddress, Read } from "./page.ts";

/** What the editors say of an address that no page has any more: where it went, or that it is gone. */
export async function movedFrom(read: Read, { locale, url }: PageAddress): Promise<unknown> {
  // An editor who names an English path means the page, in both languages.
  for (const path of new Set([url.pathname, neutralPath(url.pathname)])) {
    try {
      const { to, code } = await read(apiQuery("/api/moved", { query: { path } }));
      if (code === 410) return data(null, { status: 410 });
      if (!to) continue;
      const address = addressOf(localizedPath(localeOf(to) === "es" ? "es" : locale, to), url);
      if (address && address !== url.pathname) return redirect(address, code);
    } catch (error) {
      if (!isGone(error)) throw error;
    }
  }
  return undefined;
}

/** What an editor wrote, as a header can hold it: an accent is escaped. None where it leads nowhere. */
function addressOf(written: string, url: URL): string | undefined {
  if (!URL.canParse(written, url)) return undefined;
  const { origin, pathname, search, hash, href } = new URL(written, url);
  return origin === url.origin ? pathname + search + hash : href;
}
