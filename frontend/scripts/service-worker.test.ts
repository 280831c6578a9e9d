import { readFileSync } from "node:fs";
import { runInNewContext } from "node:vm";
import { afterEach, expect, test, vi } from "vitest";

const ORIGIN = "https://almijara.example";
const WORKER = readFileSync(new URL("../public/sw.js", import.meta.url), "utf8");
const DAY_MS = 24 * 60 * 60 * 1_000;

afterEach(() => {
  vi.useRealTimers();
});

type Key = string | { url: string };
const urlOf = (key: Key) => (typeof key === "string" ? key : key.url);

/** The browser's caches, by name; as in the browser, entries are in the order in which they were put. */
class Caches {
  readonly stored = new Map<string, Map<string, Response>>();

  async open(name: string) {
    const entries = this.stored.get(name) ?? new Map<string, Response>();
    this.stored.set(name, entries);
    return {
      match: async (key: Key) => entries.get(urlOf(key))?.clone(),
      keys: async () => [...entries.keys()].map((url) => ({ url })),
      delete: async (key: Key) => entries.delete(urlOf(key)),
      put: async (key: string, response: Response) => {
        entries.delete(key);
        entries.set(key, response);
      },
    };
  }

  async match(key: string, { cacheName }: { cacheName?: string } = {}) {
    const searched = cacheName ? [this.stored.get(cacheName)] : [...this.stored.values()];
    return searched
      .find((entries) => entries?.has(key))
      ?.get(key)
      ?.clone();
  }

  /** Returns the paths in a cache. */
  paths(name: string): string[] {
    return [...(this.stored.get(name)?.keys() ?? [])].map((url) => url.slice(ORIGIN.length));
  }
}

type Fetch = (url: URL | string) => Promise<Response>;

/** Starts the worker with these caches, and returns functions that send it events. */
function start(caches: Caches, fetch: Fetch) {
  const listeners = new Map<string, (event: unknown) => void>();
  runInNewContext(WORKER, {
    self: { location: { origin: ORIGIN }, addEventListener: listeners.set.bind(listeners) },
    navigator: {},
    caches,
    fetch,
    Date,
    Headers,
    Response,
    URL,
  });
  return {
    /** Reports a page as the client does, and waits until the worker has handled it. */
    report: (message: { page: string; files?: string[]; favourite?: boolean }) =>
      new Promise<void>((resolve) => {
        listeners.get("message")?.({
          data: message,
          waitUntil: (work: Promise<void>) => work.then(resolve),
        });
      }),
    /** Returns the worker's answer to a request. */
    ask: (path: string, mode = "navigate") =>
      new Promise<Response>((respondWith) => {
        const request = { method: "GET", mode, url: ORIGIN + path };
        listeners.get("fetch")?.({ request, respondWith });
      }),
  };
}

const offline: Fetch = () => Promise.reject(new TypeError("no connection"));

/** A page as the worker stores it. */
function page(title: string, days: number): Response {
  const at = new Date(Date.now() - days * DAY_MS).toISOString();
  return new Response(`<html><head><title>${title}</title></head><body></body></html>`, {
    headers: { "almijara-kept-at": at },
  });
}

test("offline, pages that are too old are not offered", async () => {
  const caches = new Caches();
  const pages = new Map([
    [`${ORIGIN}/about`, page("About us", 29)],
    [`${ORIGIN}/news`, page("News", 31)],
  ]);
  caches.stored.set("almijara-pages-1", pages);
  const worker = start(caches, offline);
  const text = await (await worker.ask("/team")).text();
  expect(text).toContain('<a href="/about">About us</a>');
  expect(text).not.toContain("News");
  expect([...pages.keys()]).toEqual([`${ORIGIN}/about`]);
  expect(await (await worker.ask("/about")).text()).toContain("This page is as it was on");

  pages.set(`${ORIGIN}/news`, page("News", 31));
  expect(await (await worker.ask("/news")).text()).toContain("This page is not saved");
  expect(pages.has(`${ORIGIN}/news`)).toBe(false);
});

/** A site of pages with one stylesheet and, for a home, its picture. */
function site() {
  const requested: string[] = [];
  const fetch: Fetch = async (address) => {
    const path = String(address).slice(ORIGIN.length);
    requested.push(path);
    if (/^\/(assets|media)\//.test(path)) return new Response(path);
    const picture = path.includes("AH-") ? `<img src="/media/${path.slice(-4)}/v1/960.jpg">` : "";
    return new Response(
      `<html><head><title>${path}</title><link href="/assets/root.css"></head><body>${picture}</body></html>`,
      { headers: { "content-type": "text/html" } },
    );
  };
  return { requested, fetch };
}

test("filters, pages and map views of a list are not downloaded", async () => {
  const { requested, fetch } = site();
  const caches = new Caches();
  const { report } = start(caches, fetch);
  for (const query of ["?propertyType=House", "?page=2", "?view=map&bbox=-4.1,36.7,-3.8,36.9"]) {
    await report({ page: `/property-for-sale${query}`, files: ["/media/x/v1/480.avif"] });
  }
  expect(requested).toEqual([]);
  await report({ page: "/property-for-sale" });
  expect(requested).toContain("/property-for-sale");
  expect(caches.paths("almijara-pages-1")).toEqual(["/property-for-sale"]);
});

test("a favourite can be read offline, with its picture, however many pages were visited since", async () => {
  const { fetch } = site();
  const caches = new Caches();
  const { report } = start(caches, fetch);
  await report({ page: "/property-for-sale", files: ["/media/AH-1/v1/480.avif"] });
  await report({ page: "/property-for-sale/nerja/AH-1", favourite: true });
  for (let visit = 0; visit < 61; visit += 1) {
    const files = [1, 2, 3, 4].map((number) => `/media/${visit}/v${number}/480.avif`);
    await report({ page: `/news/${visit}`, files });
  }
  expect(caches.paths("almijara-pages-1")).toHaveLength(60);
  expect(caches.paths("almijara-pages-1")).not.toContain("/property-for-sale/nerja/AH-1");
  expect(caches.paths("almijara-files-1")).not.toContain("/media/AH-1/v1/480.avif");

  const { ask } = start(caches, offline);
  const read = async (path: string, mode?: string) => (await ask(path, mode)).text();
  expect(await read("/property-for-sale/nerja/AH-1")).toContain("This page is as it was on");
  expect(await read("/assets/root.css", "no-cors")).toBe("/assets/root.css");
  expect(await read("/media/AH-1/v1/1280.avif", "no-cors")).toBe("/media/AH-1/v1/480.avif");
  const links = (await read("/team")).match(/href="\/[^"]+"/g) ?? [];
  expect(links).toHaveLength(61);
  expect(links.at(-1)).toBe('href="/property-for-sale/nerja/AH-1"');
});

test("a favourite that is visited again is kept as it is now, and one that is gone is deleted", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const { fetch } = site();
  const caches = new Caches();
  const home = "/property-for-sale/nerja/AH-1";
  await start(caches, fetch).report({ page: home, favourite: true });
  const reduced: Fetch = async () =>
    new Response("<html><head><title>Reduced</title></head><body></body></html>", {
      headers: { "content-type": "text/html" },
    });
  vi.setSystemTime(Date.now() + DAY_MS);
  await start(caches, reduced).report({ page: home });
  const kept = await caches.match(ORIGIN + home, { cacheName: "almijara-favourites-1" });
  expect(await kept?.text()).toContain("Reduced");

  vi.setSystemTime(Date.now() + DAY_MS);
  await start(caches, async () => new Response("", { status: 410 })).report({ page: home });
  expect(await caches.match(ORIGIN + home)).toBeUndefined();
});
