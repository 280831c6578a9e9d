import { ask, BASE_URL } from "./site.ts";

/** The number of concurrent requests, small enough for a small machine. */
const AT_A_TIME = 4;

/** What the crawler records of a page. */
export interface Crawled {
  /** Path and query, without the origin. */
  readonly address: string;
  readonly status: number;
  readonly location: string | null;
  readonly html: string;
}

/**
 * Returns a key that similar addresses share: enquiry forms and sheets of homes are rendered on each
 * request, and differ only by the home, so one of each is enough.
 */
const kindOf = (address: string) =>
  /\/enquiry\?|\/sheet\.pdf$/.test(address) ? address.replace(/([^/]+\/)?[A-Z]+-\d+/, "") : address;

/**
 * Follows every internal link from `starts` (of forms and sheets, one of each kind). `worth` decides which
 * pages' links are followed.
 */
export async function crawl(
  starts: readonly string[],
  worth: (address: string) => boolean,
): Promise<Map<string, Crawled>> {
  const found = new Map<string, Crawled>();
  const known = new Set(starts.map(kindOf));
  const waiting = [...new Set(starts)];
  const worker = async () => {
    for (let address = waiting.shift(); address !== undefined; address = waiting.shift()) {
      const page = await fetchPage(address);
      found.set(address, page);
      if (!worth(address)) continue;
      for (const next of [...internalLinks(page.html), ...(page.location ? [page.location] : [])]) {
        const kind = kindOf(next);
        if (known.has(kind)) continue;
        known.add(kind);
        waiting.push(next);
      }
    }
  };
  // A worker may find the queue empty too early, so rounds are repeated until it stays empty.
  while (waiting.length > 0) await Promise.all(Array.from({ length: AT_A_TIME }, worker));
  return found;
}

async function fetchPage(address: string): Promise<Crawled> {
  const response = await ask(address, {
    redirect: "manual",
    headers: { "accept-language": "en", cookie: "language=en" },
  });
  const location = pathOf(response.headers.get("location"));
  return { address, status: response.status, location, html: await response.text() };
}

function internalLinks(html: string): string[] {
  return [...html.matchAll(/<a\b[^>]*?\shref="([^"]*)"/g)].flatMap(([, href = ""]) => {
    const path = pathOf(unescaped(href));
    return path ? [path] : [];
  });
}

/** Returns the path and query of an address of this site; null for another site. */
export function pathOf(href: string | null): string | null {
  if (!href || href.startsWith("#")) return null;
  const url = new URL(href, BASE_URL);
  return url.origin === new URL(BASE_URL).origin ? url.pathname + url.search : null;
}

/** Returns the texts of all elements of a name in a sitemap or feed. */
export function elements(xml: string, name: string): string[] {
  return [...xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, "g"))].map(([, text = ""]) =>
    unescaped(text),
  );
}

/** Parses a page's head. */
export function headOf(html: string) {
  const tags = (name: string): Record<string, string>[] =>
    [...html.matchAll(new RegExp(`<${name}\\b([^>]*)>`, "g"))].map(([, text = ""]) =>
      Object.fromEntries(
        [...text.matchAll(/([\w:-]+)="([^"]*)"/g)].map(([, key = "", value = ""]) => [
          key.toLowerCase(),
          unescaped(value),
        ]),
      ),
    );
  const links = tags("link");
  const metas = tags("meta");
  const meta = (name: string) =>
    metas.filter((tag) => tag.name === name || tag.property === name).map((tag) => tag.content);
  return {
    titles: [...html.matchAll(/<title>([^<]*)<\/title>/g)].map(([, text = ""]) => unescaped(text)),
    descriptions: meta("description"),
    indexed: !meta("robots").includes("noindex"),
    canonical: links.filter(({ rel }) => rel === "canonical").map(({ href }) => href),
    alternates: Object.fromEntries(
      links
        .filter(({ rel, hreflang }) => rel === "alternate" && hreflang)
        .map(({ hreflang = "", href = "" }) => [hreflang, href]),
    ),
    pictures: meta("og:image"),
    headings: [...html.matchAll(/<h1\b/g)].length,
    things: [...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)].flatMap(
      ([, json = ""]) => (JSON.parse(json) as { "@graph": { "@type": string }[] })["@graph"],
    ),
  };
}

function unescaped(text: string): string {
  return text
    .replaceAll("&quot;", '"')
    .replaceAll("&#x27;", "'")
    .replaceAll("&apos;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
}
