import { tags } from "./html.ts";
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
  return tags(html, "a").flatMap(({ href }) => pathOf(href ?? null) ?? []);
}

/** Returns the path and query of an address of this site; null for another site. */
export function pathOf(href: string | null): string | null {
  if (!href || href.startsWith("#")) return null;
  const url = new URL(href, BASE_URL);
  return url.origin === new URL(BASE_URL).origin ? url.pathname + url.search : null;
}
