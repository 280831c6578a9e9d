// The service worker: visited pages and favourites can be read offline, each with a note that says when it
// was stored. It never answers for the API, and for pages it always tries the network first.

const PAGES = "almijara-pages-1";
const FILES = "almijara-files-1";
/** Favourites with their files, in a cache of their own: newer pages don't displace them. */
const FAVOURITES = "almijara-favourites-1";
const MAX_PAGES = 60;
const MAX_FILES = 240;
/** Pages and files. */
const MAX_FAVOURITES = 600;
const KEPT_AT = "almijara-kept-at";
const RECENT_MS = 60 * 1_000;
/** An older page is not shown, since its price may be out of date. */
const MAX_KEPT_MS = 30 * 24 * 60 * 60 * 1_000;

const TEXTS = {
  en: {
    tag: "en-GB",
    kept: (time) => `You are offline. This page is as it was on ${time}: prices may have changed.`,
    again: "Try again",
    title: "You are offline",
    none: "This page is not saved on this device. It will be back when you are online.",
    some: "Pages you can read now",
  },
  es: {
    tag: "es-ES",
    kept: (time) =>
      `Sin conexión. Esta página está como estaba el ${time}: los precios pueden haber cambiado.`,
    again: "Reintentar",
    title: "Sin conexión",
    none: "Esta página no se ha guardado en este dispositivo. Volverá a verse con conexión.",
    some: "Páginas que puede leer ahora",
  },
};

self.addEventListener("install", () => {
  // Nothing is precached, so a new worker can take over at once.
  self.skipWaiting();
});

self.addEventListener("activate", (event) => {
  event.waitUntil(
    (async () => {
      const names = await caches.keys();
      const old = names.filter(
        (name) => name.startsWith("almijara-") && ![PAGES, FILES, FAVOURITES].includes(name),
      );
      await Promise.all(old.map((name) => caches.delete(name)));
      // The browser requests the page while the worker starts.
      await self.registration.navigationPreload?.enable();
      await self.clients.claim();
    })(),
  );
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== self.location.origin) return;
  if (request.mode === "navigate") {
    if (!isFile(url)) event.respondWith(page(event, url));
  } else if (url.pathname.startsWith("/assets/") || url.pathname.startsWith("/media/")) {
    event.respondWith(file(event));
  }
});

/** Stores pages that the client reports: the open page, if the worker did not load it, and favourites. */
self.addEventListener("message", (event) => {
  const { page: address, files = [], favourite = false } = event.data ?? {};
  if (typeof address === "string") event.waitUntil(storeSeen(address, files, favourite));
});

/** Answers from the network, or without a connection with the stored page. */
async function page(event, url) {
  try {
    const response = (await event.preloadResponse) ?? (await fetch(event.request));
    event.waitUntil(storePage(url, response.clone()));
    return response;
  } catch {
    return (await storedPage(url)) ?? offlinePage(url);
  }
}

/** Answers files and pictures from the cache first: each version of them has its own address. */
async function file(event) {
  const kept = await caches.match(event.request.url);
  if (kept) return kept;
  let response;
  try {
    response = await fetch(event.request);
  } catch {
    return (await otherWidth(event.request.url)) ?? Response.error();
  }
  if (response.status === 200 && response.type === "basic" && !isPrivate(response)) {
    event.waitUntil(put(FILES, event.request.url, response.clone(), MAX_FILES));
  }
  return response;
}

/** Returns the same picture in a stored width, for a page that was stored with another layout. */
async function otherWidth(address) {
  const [picture] = /^.*\/media\/.+\//.exec(address) ?? [];
  if (!picture) return undefined;
  for (const name of [FILES, FAVOURITES]) {
    const cache = await caches.open(name);
    const kept = (await cache.keys()).findLast(({ url }) => url.startsWith(picture));
    if (kept) return cache.match(kept);
  }
  return undefined;
}

async function storeSeen(address, files, favourite) {
  const url = new URL(address, self.location.origin);
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

/** Stores a page unless it was stored a moment ago, and returns whether it is stored. */
async function ensureStored(url) {
  if (await wasStoredRecently(url)) return true;
  // The filters, pages and map views of a list are not downloaded again: most are seen once.
  if (url.search) return false;
  return storePage(url, await fetch(url, { headers: { accept: "text/html" } }));
}

/** Copies a stored page to the favourites, with those of its files that are stored. */
async function storeFavourite(url) {
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

/** Whether the visitor saves data: then nothing is fetched in advance. */
function savesData() {
  return navigator.connection?.saveData === true;
}

async function wasStoredRecently(url) {
  const kept = await caches.match(keyOf(url), { cacheName: PAGES });
  return kept !== undefined && Date.now() - Date.parse(kept.headers.get(KEPT_AT)) < RECENT_MS;
}

/** Stores a public page, and returns whether it did. A page that is gone is deleted. */
async function storePage(url, response) {
  const key = keyOf(url);
  if (response.type === "opaqueredirect" || response.redirected) return false;
  if (response.status === 404 || response.status === 410) {
    await Promise.all(
      [PAGES, FAVOURITES].map(async (name) => (await caches.open(name)).delete(key)),
    );
    return false;
  }
  const html = (response.headers.get("content-type") ?? "").startsWith("text/html");
  if (response.status !== 200 || !html || isPrivate(response)) return false;
  const headers = new Headers(response.headers);
  headers.set(KEPT_AT, new Date().toISOString());
  const text = await response.text();
  await put(PAGES, key, new Response(text, { headers }), MAX_PAGES);
  if (!savesData()) await Promise.all(filesOf(text).map(storeFile));
  return true;
}

/** Whether the response is personal or an editor's draft, which is never stored. */
function isPrivate(response) {
  return /no-store|private/.test(response.headers.get("cache-control") ?? "");
}

async function storeFile(address) {
  const url = new URL(address, self.location.origin);
  if (url.origin !== self.location.origin || !/^\/(assets|media)\//.test(url.pathname)) return;
  if (await caches.match(url.href, { cacheName: FILES })) return;
  const response = await fetch(url);
  if (response.status === 200 && !isPrivate(response))
    await put(FILES, url.href, response, MAX_FILES);
}

/** Returns the styles, fonts and icons of a page. */
function filesOf(html) {
  const named = html.matchAll(/(?:href|src)="(\/assets\/[^"#]+\.(?:css|woff2|svg))/g);
  return [...new Set(Array.from(named, ([, path]) => path))];
}

/** Returns the folders of a page's pictures, each of which has all widths of one. */
function picturesOf(html) {
  return new Set(html.match(/\/media\/[^/"]+\/[^/"]+\//g));
}

/** Stores a response, and deletes the oldest ones beyond `max`. */
async function put(name, key, response, max) {
  const cache = await caches.open(name);
  // `put` moves the key to the end, even if it already existed.
  await cache.put(key, response);
  const keys = await cache.keys();
  await Promise.all(
    keys.slice(0, Math.max(0, keys.length - max)).map((each) => cache.delete(each)),
  );
}

/**
 * Returns a stored page with a note of when it was stored. Its scripts are removed: they might present
 * the content as current, or remove the note.
 */
async function storedPage(url) {
  const kept = await readFresh(keyOf(url));
  if (!kept) return undefined;
  const at = storedAt(kept);
  const headers = new Headers(kept.headers);
  headers.delete("content-length");
  headers.delete("content-encoding");
  headers.set("cache-control", "no-store");
  return new Response(withNote(await kept.text(), at, textsOf(url)), { headers });
}

/** Returns the newest stored page for a key. A page that is too old is deleted. */
async function readFresh(key) {
  for (const name of [PAGES, FAVOURITES]) {
    const cache = await caches.open(name);
    const kept = await cache.match(key);
    if (kept && Date.now() - storedAt(kept) <= MAX_KEPT_MS) return kept;
    if (kept) await cache.delete(key);
  }
  return undefined;
}

/** Returns the keys of all stored pages, the newest first. */
async function storedKeys() {
  const keys = await Promise.all(
    [FAVOURITES, PAGES].map(async (name) => (await caches.open(name)).keys()),
  );
  return new Set(
    keys
      .flat()
      .map(({ url }) => url)
      .reverse(),
  );
}

function storedAt(kept) {
  return new Date(kept.headers.get(KEPT_AT) ?? 0);
}

function withNote(html, at, texts) {
  const end = html.indexOf("</head>");
  const head = html.slice(0, end).replace(/<link rel="modulepreload"[^>]*>/g, "");
  const body = html.slice(end).replace(/<script\b[^>]*>[\s\S]*?<\/script>/g, "");
  return head + body.replace(/<body[^>]*>/, (opening) => `${opening}${note(at, texts)}`);
}

function note(at, texts) {
  // In the device's time zone.
  const time = at.toLocaleString(texts.tag, { dateStyle: "long", timeStyle: "short" });
  return `<p class="offline-note" role="status">${texts.kept(time)} <a href="">${texts.again}</a></p>`;
}

/** The answer for a page that was not stored: a list of the stored ones. */
async function offlinePage(url) {
  const texts = textsOf(url);
  const language = localeOf(url);
  const pages = [...(await storedKeys())]
    .map((key) => new URL(key))
    .filter((each) => !isFile(each) && localeOf(each) === language);
  const links = await Promise.all(
    pages.map(async (each) => {
      const html = (await (await readFresh(keyOf(each)))?.text()) ?? "";
      // The title is already escaped.
      const title = /<title>([^<]*)<\/title>/.exec(html)?.[1] ?? "";
      return title && `<li><a href="${escaped(each.pathname + each.search)}">${title}</a></li>`;
    }),
  );
  const list = links.filter(Boolean).join("");
  const html = `<!doctype html><html lang="${texts.tag}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${texts.title}</title><style>:root{color-scheme:light dark}body{max-width:40rem;margin:12vh auto;padding:0 1.25rem;font:1.0625rem/1.6 system-ui,sans-serif;background:light-dark(#fcfaf6,#0a0f16);color:light-dark(#171e29,#eef0f4)}main::before{content:'';display:block;width:4rem;height:4rem;margin-bottom:2rem;border-radius:50%;background:#ffcf47}h1,h2{font-family:Georgia,serif;font-weight:400;line-height:1.15}h1{font-size:2.25rem}h2{margin-top:2.5rem;font-size:1.5rem}a{color:inherit;text-decoration:underline #f4bc53 2px;text-underline-offset:.28em}ul{padding:0;list-style:none}li{padding:.75rem 0;border-top:1px solid light-dark(#dadee5,#2b323e)}li a{text-decoration:none}li a:hover{text-decoration:underline}</style></head><body><main><h1>${texts.title}</h1><p>${texts.none}</p><p><a href="">${texts.again}</a></p>${list && `<h2>${texts.some}</h2><ul>${list}</ul>`}</main></body></html>`;
  return new Response(html, {
    status: 503,
    headers: { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" },
  });
}

function escaped(text) {
  return text.replace(/&/g, "&amp;").replace(/"/g, "&quot;").replace(/</g, "&lt;");
}

/** Returns the cache key of a page: its address without the fragment. */
function keyOf(url) {
  return url.origin + url.pathname + url.search;
}

/** Whether the URL is the API's or has a file extension, as all documents of the site that are not pages. */
function isFile(url) {
  return url.pathname.startsWith("/api/") || /\.[a-z][a-z0-9]*$/.test(url.pathname);
}

function localeOf(url) {
  return /^\/es(\/|$)/.test(url.pathname) ? "es" : "en";
}

function textsOf(url) {
  return TEXTS[localeOf(url)];
}
