import { runInNewContext } from "node:vm";
import { afterEach, expect, test, vi } from "vitest";
import { buildServiceWorker } from "./service-worker.ts";

const ORIGIN = "https://almijara.example";
const WORKER = await buildServiceWorker();
const DAY_MS = 24 * 60 * 60 * 1_000;

afterEach(() => {
  vi.useRealTimers();
});

type Key = string | URL | { url: string };
const urlOf = (key: Key) => (typeof key === "object" && "url" in key ? key.url : String(key));

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

  async keys() {
    return [...this.stored.keys()];
  }

  async delete(name: string) {
    return this.stored.delete(name);
  }

  /** Returns the paths in a cache. */
  paths(name: string): string[] {
    return [...(this.stored.get(name)?.keys() ?? [])].map((url) => url.slice(ORIGIN.length));
  }
}

type Fetch = (request: Key) => Promise<Response>;

/** Starts the worker with these caches, and returns functions that send it events. */
function start(caches: Caches, fetch: Fetch) {
  const listeners = new Map<string, (event: unknown) => void>();
  const registration = {};
  const clients = { claim: async () => undefined };
  const addEventListener = listeners.set.bind(listeners);
  runInNewContext(WORKER, {
    self: { location: { origin: ORIGIN }, registration, clients, addEventListener },
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
    /** Returns the worker's answer to a request, once it has stored what it stores; nothing if it gives none. */
    ask: async (path: string, mode = "navigate", method = "GET") => {
      const works: Promise<unknown>[] = [];
      const request = { method, mode, url: ORIGIN + path };
      let answer: Promise<Response> | undefined;
      listeners.get("fetch")?.({
        request,
        respondWith: (given: Promise<Response>) => {
          answer = given;
        },
        waitUntil: (work: Promise<unknown>) => works.push(work),
      });
      const response = await answer;
      await Promise.all(works);
      return response;
    },
    /** Starts the worker in place of a former one. */
    activate: () =>
      new Promise<void>((resolve) => {
        listeners.get("activate")?.({ waitUntil: (work: Promise<void>) => work.then(resolve) });
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
  const text = await (await worker.ask("/team"))?.text();
  expect(text).toContain('<a href="/about">About us</a>');
  expect(text).not.toContain("News");
  expect([...pages.keys()]).toEqual([`${ORIGIN}/about`]);
  expect(await (await worker.ask("/about"))?.text()).toContain("This page is as it was on");

  pages.set(`${ORIGIN}/news`, page("News", 31));
  expect(await (await worker.ask("/news"))?.text()).toContain("This page is not saved");
  expect(pages.has(`${ORIGIN}/news`)).toBe(false);
});

/** A site of pages with one stylesheet and, for a home, its picture. */
function site() {
  const requested: string[] = [];
  const fetch: Fetch = async (address) => {
    const path = urlOf(address).slice(ORIGIN.length);
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
  const read = async (path: string, mode?: string) => (await (await ask(path, mode))?.text()) ?? "";
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

test("a page and its stylesheet are stored when they are loaded, but nothing that is one visitor's", async () => {
  const { fetch } = site();
  const personal: Fetch = async () =>
    new Response("<html></html>", {
      headers: { "content-type": "text/html", "cache-control": "private, no-store" },
    });
  const caches = new Caches();
  expect(await (await start(caches, fetch).ask("/news"))?.text()).toContain("<title>/news</title>");
  await start(caches, personal).ask("/account");
  await start(caches, personal).ask("/media/draft/v1/480.avif", "no-cors");
  expect(caches.paths("almijara-pages-1")).toEqual(["/news"]);
  expect(caches.paths("almijara-files-1")).toEqual(["/assets/root.css"]);
});

test("the API, documents that are files, and what a visitor sends are left to the network", async () => {
  const { ask } = start(new Caches(), offline);
  expect(await ask("/api/properties", "cors")).toBeUndefined();
  expect(await ask("/api/account/export")).toBeUndefined();
  expect(await ask("/property-for-sale/nerja/AH-1/sheet.pdf")).toBeUndefined();
  expect(await ask("/enquiry", "navigate", "POST")).toBeUndefined();
});

test("a stored page is shown without its scripts, which might present it as current", async () => {
  const caches = new Caches();
  const scripted: Fetch = async () =>
    new Response(
      '<html><head><link rel="modulepreload" href="/assets/a.js"></head><body class="x"><p>House</p><script>run()</script></body></html>',
      { headers: { "content-type": "text/html" } },
    );
  await start(caches, scripted).ask("/es/news");
  const shown = await start(caches, offline).ask("/es/news");
  expect(shown?.headers.get("cache-control")).toBe("no-store");
  const html = (await shown?.text()) ?? "";
  expect(html).toMatch(
    /<body class="x"><p class="offline-note" role="status">Sin conexión\. .*<p>House<\/p>/,
  );
  expect(html).not.toMatch(/script|modulepreload/);
});

test("a page that was never stored offers those in its language", async () => {
  const caches = new Caches();
  caches.stored.set(
    "almijara-pages-1",
    new Map([
      [`${ORIGIN}/about`, page("About us", 1)],
      [`${ORIGIN}/es/about?a=1&b=2`, page("Quiénes somos", 1)],
    ]),
  );
  const answer = await start(caches, offline).ask("/es/news");
  expect(answer?.status).toBe(503);
  const html = await answer?.text();
  expect(html).toContain('<html lang="es-ES">');
  expect(html).toContain('<a href="/es/about?a=1&amp;b=2">Quiénes somos</a>');
  expect(html).not.toContain("About us");
});

test("the caches of a former worker are deleted, and no other's", async () => {
  const caches = new Caches();
  for (const name of ["almijara-pages-0", "almijara-pages-1", "another"]) await caches.open(name);
  await start(caches, offline).activate();
  expect(await caches.keys()).toEqual(["almijara-pages-1", "another"]);
});
