import type { SeenPage } from "./worker-scope.ts";

const PAGES = "almijara-pages-1";
const FILES = "almijara-files-1";
/** Favourites with their files, in a cache of their own: newer pages don't displace them. */
const FAVOURITES = "almijara-favourites-1";
const MAX_PAGES = 60;
const MAX_FILES = 240;
/** Pages and files. */
const MAX_FAVOURITES = 600;
const STORED_AT = "almijara-kept-at";
const RECENT_MS = 60 * 1_000;
/** An older page is not shown, since its price may be out of date. */
const MAX_KEPT_MS = 30 * 24 * 60 * 60 * 1_000;

/** Deletes the caches of former workers. */
export async function deleteOldCaches(): Promise<void> {
  const names = await caches.keys();
  const old = names.filter(
    (name) => name.startsWith("almijara-") && ![PAGES, FILES, FAVOURITES].includes(name),
  );
  await Promise.all(old.map((name) => caches.delete(name)));
}

/** Whether the URL is the API's or has a file extension, as all documents of the site that are not pages. */
export function isFile(url: URL): boolean {
  return url.pathname.startsWith("/api/") || /\.[a-z][a-z0-9]*$/.test(url.pathname);
}

/** Stores a page that a page has reported, with its files. */
export async function storeSeen({ page, files = [], favourite = false }: SeenPage): Promise<void> {
  const url = new URL(page, self.location.origin);
  if (url.origin !== self.location.origin || isFile(url) || savesData()) return;
  try {
    if (!(await ensureStored(url))) return;
    await Promise.all(files.map(storeFile));
    if (favourite || (await caches.match(keyOf(url), { cacheName: FAVOURITES }))) {
      await storeFavourite(url);
    }
  } catch {
    // The connection was lost meanwhile: the stored page stays.
  }
}

/** Stores a public page, and returns whether it did. A page that is gone is deleted. */
export async function storePage(url: URL, response: Response): Promise<boolean> {
  const key = keyOf(url);
  if (response.type === "opaqueredirect" || response.redirected) return false;
  if (response.status === 404 || response.status === 410) {
    await Promise.all(
      [PAGES, FAVOURITES].map(async (name) => (await caches.open(name)).delete(key)),
    );
    return false;
  }
  const isHtml = response.headers.get("content-type")?.startsWith("text/html");
  if (response.status !== 200 || !isHtml || isPrivate(response)) return false;
  const headers = new Headers(response.headers);
  headers.set(STORED_AT, new Date().toISOString());
  const html = await response.text();
  await put(PAGES, key, new Response(html, { headers }), MAX_PAGES);
  if (!savesData()) await Promise.all(filesOf(html).map(storeFile));
  return true;
}

/** Returns the stored page at a URL, and when it was stored. A page that is too old is deleted. */
export async function readPage(url: URL): Promise<{ page: Response; at: Date } | undefined> {
  for (const name of [PAGES, FAVOURITES]) {
    const cache = await caches.open(name);
    const page = await cache.match(keyOf(url));
    if (!page) continue;
    const at = storedAt(page);
    if (Date.now() - at.getTime() <= MAX_KEPT_MS) return { page, at };
    await cache.delete(keyOf(url));
  }
  return undefined;
}

/** Returns the URLs of all stored pages, the newest first. */
export async function storedPages(): Promise<URL[]> {
  const keys = await Promise.all(
    [FAVOURITES, PAGES].map(async (name) => (await caches.open(name)).keys()),
  );
  const addresses = keys.flat().map(({ url }) => url);
  return [...new Set(addresses.reverse())]
    .map((address) => new URL(address))
    .filter((url) => !isFile(url));
}

/** Returns a file or picture that is stored. */
export function storedFile(address: string): Promise<Response | undefined> {
  return caches.match(address);
}

/** Returns the same picture in a stored width, for a page that was stored with another layout. */
export async function storedWidth(address: string): Promise<Response | undefined> {
  const [picture] = /^.*\/media\/.+\//.exec(address) ?? [];
  if (!picture) return undefined;
  for (const name of [FILES, FAVOURITES]) {
    const cache = await caches.open(name);
    const stored = (await cache.keys()).findLast(({ url }) => url.startsWith(picture));
    if (stored) return cache.match(stored);
  }
  return undefined;
}

/** Stores a file or picture that a page has requested. */
export async function storeFetchedFile(address: string, response: Response): Promise<void> {
  if (response.status !== 200 || response.type !== "basic" || isPrivate(response)) return;
  await put(FILES, address, response.clone(), MAX_FILES);
}

/** Stores a page unless it was stored a moment ago, and returns whether it is stored. */
async function ensureStored(url: URL): Promise<boolean> {
  if (await wasStoredRecently(url)) return true;
  // The filters, pages and map views of a list are not downloaded again: most are seen once.
  if (url.search) return false;
  return storePage(url, await fetch(url, { headers: { accept: "text/html" } }));
}

/** Copies a stored page to the favourites, with those of its files that are stored. */
async function storeFavourite(url: URL): Promise<void> {
  const page = await caches.match(keyOf(url), { cacheName: PAGES });
  if (!page) return;
  const html = await page.clone().text();
  const own = [...filesOf(html), ...picturesOf(html)];
  const files = await caches.open(FILES);
  for (const { url: address } of await files.keys()) {
    if (!own.some((part) => address.includes(part))) continue;
    const file = await files.match(address);
    if (file) await put(FAVOURITES, address, file, MAX_FAVOURITES);
  }
  await put(FAVOURITES, keyOf(url), page, MAX_FAVOURITES);
}

async function storeFile(address: string): Promise<void> {
  const url = new URL(address, self.location.origin);
  if (url.origin !== self.location.origin || !/^\/(assets|media)\//.test(url.pathname)) return;
  if (await caches.match(url.href, { cacheName: FILES })) return;
  const response = await fetch(url);
  if (response.status === 200 && !isPrivate(response))
    await put(FILES, url.href, response, MAX_FILES);
}

/** Stores a response, and deletes the oldest ones beyond `max`. */
async function put(name: string, key: string, response: Response, max: number): Promise<void> {
  const cache = await caches.open(name);
  // `put` moves the key to the end, even if it already existed.
  await cache.put(key, response);
  const keys = await cache.keys();
  await Promise.all(
    keys.slice(0, Math.max(0, keys.length - max)).map((each) => cache.delete(each)),
  );
}

/** Whether the visitor saves data: then nothing is fetched in advance. */
function savesData(): boolean {
  return (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;
}

async function wasStoredRecently(url: URL): Promise<boolean> {
  const page = await caches.match(keyOf(url), { cacheName: PAGES });
  return page !== undefined && Date.now() - storedAt(page).getTime() < RECENT_MS;
}

function storedAt(page: Response): Date {
  return new Date(page.headers.get(STORED_AT) ?? 0);
}

/** Whether the response is personal or an editor's draft, which is never stored. */
function isPrivate(response: Response): boolean {
  return /no-store|private/.test(response.headers.get("cache-control") ?? "");
}

/** Returns the styles, fonts and icons of a page. */
function filesOf(html: string): string[] {
  const named = html.matchAll(/(?:href|src)="(\/assets\/[^"#]+\.(?:css|woff2|svg))/g);
  return [...new Set(Array.from(named, ([, path = ""]) => path))];
}

/** Returns the folders of a page's pictures, each of which has all widths of one. */
function picturesOf(html: string): Set<string> {
  return new Set(html.match(/\/media\/[^/"]+\/[^/"]+\//g));
}

/** Returns the cache key of a page: its address without the fragment. */
function keyOf(url: URL): string {
  return url.origin + url.pathname + url.search;
}
