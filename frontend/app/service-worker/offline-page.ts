import { LANGUAGE_TAG, type Locale, localeOf } from "#app/lib/i18n/locale.ts";
import { messagesFor } from "#app/lib/i18n/messages.ts";
import { escapeXml } from "#app/lib/xml/xml.ts";
import { workerMessages } from "./messages.ts";
import { readPage, storedPages } from "./store.ts";

/** The page has no stylesheet to rely on. */
const STYLE =
  ":root{color-scheme:light dark}body{max-width:40rem;margin:12vh auto;padding:0 1.25rem;font:1.0625rem/1.6 system-ui,sans-serif;background:light-dark(#fcfaf6,#0a0f16);color:light-dark(#171e29,#eef0f4)}main::before{content:'';display:block;width:4rem;height:4rem;margin-bottom:2rem;border-radius:50%;background:#ffcf47}h1,h2{font-family:Georgia,serif;font-weight:400;line-height:1.15}h1{font-size:2.25rem}h2{margin-top:2.5rem;font-size:1.5rem}a{color:inherit;text-decoration:underline #f4bc53 2px;text-underline-offset:.28em}ul{padding:0;list-style:none}li{padding:.75rem 0;border-top:1px solid light-dark(#dadee5,#2b323e)}li a{text-decoration:none}li a:hover{text-decoration:underline}";

/**
 * Returns a stored page with a note of when it was stored. Its scripts are removed: they might present
 * the content as current, or remove the note.
 */
export async function storedPage(url: URL): Promise<Response | undefined> {
  const stored = await readPage(url);
  if (!stored) return undefined;
  const headers = new Headers(stored.page.headers);
  headers.delete("content-length");
  headers.delete("content-encoding");
  headers.set("cache-control", "no-store");
  const html = withNote(await stored.page.text(), storedNote(stored.at, localeOf(url.pathname)));
  return new Response(html, { headers });
}

function withNote(html: string, note: string): string {
  const end = html.indexOf("</head>");
  const head = html.slice(0, end).replace(/<link rel="modulepreload"[^>]*>/g, "");
  const body = html.slice(end).replace(/<script\b[^>]*>[\s\S]*?<\/script>/g, "");
  return head + body.replace(/<body[^>]*>/, (opening) => opening + note);
}

/** Returns the note of a page that was stored at `at`. */
export function storedNote(at: Date, locale: Locale): string {
  const t = messagesFor(workerMessages, locale);
  // In the device's time zone.
  const time = at.toLocaleString(LANGUAGE_TAG[locale], { dateStyle: "long", timeStyle: "short" });
  return `<p class="offline-note" role="status">${t.stored(time)} <a href="">${t.again}</a></p>`;
}

/** Returns the answer for a page that was not stored: a list of the stored ones in its language. */
export async function offlinePage(url: URL): Promise<Response> {
  const locale = localeOf(url.pathname);
  const t = messagesFor(workerMessages, locale);
  const pages = (await storedPages()).filter(({ pathname }) => localeOf(pathname) === locale);
  const links = await Promise.all(
    pages.map(async (each) => {
      const html = (await (await readPage(each))?.page.text()) ?? "";
      // The title is already escaped.
      const title = /<title>([^<]*)<\/title>/.exec(html)?.[1] ?? "";
      return title && `<li><a href="${escapeXml(each.pathname + each.search)}">${title}</a></li>`;
    }),
  );
  const list = links.join("");
  const main = `<h1>${t.title}</h1><p>${t.none}</p><p><a href="">${t.again}</a></p>${list && `<h2>${t.some}</h2><ul>${list}</ul>`}`;
  const html = `<!doctype html><html lang="${LANGUAGE_TAG[locale]}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${t.title}</title><style>${STYLE}</style></head><body><main>${main}</main></body></html>`;
  return new Response(html, {
    status: 503,
    headers: { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" },
  });
}
