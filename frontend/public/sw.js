// The service worker: pages that were seen, and those of favourites, can be read without a connection,
// each with a note that says when it was kept. It never answers for the API, and never before the network does.

const PAGES = "almijara-pages-1";
const FILES = "almijara-files-1";
const MAX_PAGES = 60;
const MAX_FILES = 240;
const KEPT_AT = "almijara-kept-at";
const LATELY_MS = 60 * 1_000;
/** A price older than this helps nobody. */
const MAX_KEPT_MS = 30 * 24 * 60 * 60 * 1_000;

const TEXTS = {
  en: {
    tag: "en-GB",
    kept: (time) => `You are offline. This page is as it was on ${time}: prices may have changed.`,
    again: "Try again",
    title: "You are offline",
    none: "This page has not been kept on this device. It will be here again with a connection.",
    some: "Pages that you can read now",
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
  // Nothing is fetched ahead, so nothing of an older worker is in the way.
  self.skipWaiting();
});

self.addEventListener("activate", (event) => {
  event.waitUntil(
    (async () => {
      const names = await caches.keys();
      const old = names.filter(
        (name) => name.startsWith("almijara-") && name !== PAGES && name !== FILES,
      );
      await Promise.all(old.map((name) => caches.delete(name)));
      // The page is on its way while the worker starts.
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

/** The open page tells what it shows, where it was there before the worker or stepped to, and what is liked. */
self.addEventListener("message", (event) => {
  const { page: address, files = [] } = event.data ?? {};
  if (typeof address === "string") event.waitUntil(keepSeen(address, files));
});

/** The network's answer; without one, the page as it was kept. */
async function page(event, url) {
  try {
    const response = (await event.preloadResponse) ?? (await fetch(event.request));
    event.waitUntil(keepPage(url, response.clone()));
    return response;
  } catch {
    return (await keptPage(url)) ?? offlinePage(url);
  }
}

/** Files and pictures have addresses of their own for each of their versions. */
async function file(event) {
  const kept = await caches.match(event.request.url, { cacheName: FILES });
  if (kept) return kept;
  let response;
  try {
    response = await fetch(event.request);
  } catch {
    return (await otherWidth(event.request.url)) ?? Response.error();
  }
  if (response.status === 200 && response.type === "basic" && !isOwn(response)) {
    event.waitUntil(put(FILES, event.request.url, response.clone(), MAX_FILES));
  }
  return response;
}

/** The same picture in a width that was kept, for a page that was laid out elsewhere. */
async function otherWidth(address) {
  const [picture] = /^.*\/media\/.+\//.exec(address) ?? [];
  if (!picture) return undefined;
  const cache = await caches.open(FILES);
  const kept = (await cache.keys()).findLast(({ url }) => url.startsWith(picture));
  return kept && cache.match(kept);
}

async function keepSeen(address, files) {
  const url = new URL(address, self.location.origin);
  if (url.origin !== self.location.origin || isFile(url) || savesData()) return;
  try {
    // What came through here a moment ago need not come again.
    const isKept =
      (await wasKeptLately(url)) ||
      (await keepPage(url, await fetch(url, { headers: { accept: "text/html" } })));
    if (isKept) await Promise.all(files.map(keepFile));
  } catch {
    // The connection went meanwhile: what was kept before stays.
  }
}

/** Who pays for each byte gets none that they did not ask for. */
function savesData() {
  return navigator.connection?.saveData === true;
}

async function wasKeptLately(url) {
  const kept = await caches.match(keyOf(url), { cacheName: PAGES });
  return kept !== undefined && Date.now() - Date.parse(kept.headers.get(KEPT_AT)) < LATELY_MS;
}

/** Keeps a page that is everyone's, and says whether it did; one that is gone is forgotten. */
async function keepPage(url, response) {
  const key = keyOf(url);
  if (response.type === "opaqueredirect" || response.redirected) return false;
  if (response.status === 404 || response.status === 410) {
    await (await caches.open(PAGES)).delete(key);
    return false;
  }
  const html = (response.headers.get("content-type") ?? "").startsWith("text/html");
  if (response.status !== 200 || !html || isOwn(response)) return false;
  const headers = new Headers(response.headers);
  headers.set(KEPT_AT, new Date().toISOString());
  const text = await response.text();
  await put(PAGES, key, new Response(text, { headers }), MAX_PAGES);
  if (!savesData()) await Promise.all(filesOf(text).map(keepFile));
  return true;
}

/** What is one visitor's, or an editor's draft, is kept nowhere. */
function isOwn(response) {
  return /no-store|private/.test(response.headers.get("cache-control") ?? "");
}

async function keepFile(address) {
  const url = new URL(address, self.location.origin);
  if (url.origin !== self.location.origin || !/^\/(assets|media)\//.test(url.pathname)) return;
  if (await caches.match(url.href, { cacheName: FILES })) return;
  const response = await fetch(url);
  if (response.status === 200 && !isOwn(response)) await put(FILES, url.href, response, MAX_FILES);
}

/** What a page needs to look like itself: its styles, its fonts and its icons. */
function filesOf(html) {
  const named = html.matchAll(/(?:href|src)="(\/assets\/[^"#]+\.(?:css|woff2|svg))/g);
  return [...new Set(Array.from(named, ([, path]) => path))];
}

/** Keeps one more, and no more than `most`: those that were kept longest ago go. */
async function put(name, key, response, most) {
  const cache = await caches.open(name);
  // It moves to the end of the keys, also where it was among them.
  await cache.put(key, response);
  const keys = await cache.keys();
  await Promise.all(
    keys.slice(0, Math.max(0, keys.length - most)).map((each) => cache.delete(each)),
  );
}

/**
 * A kept page with the note of when it was kept. It is shown as text and pictures, without its
 * scripts: nothing in it may act as if what it shows were current, or take the note away.
 */
async function keptPage(url) {
  const kept = await readable(await caches.open(PAGES), keyOf(url));
  if (!kept) return undefined;
  const at = keptAt(kept);
  const headers = new Headers(kept.headers);
  headers.delete("content-length");
  headers.delete("content-encoding");
  headers.set("cache-control", "no-store");
  return new Response(withNote(await kept.text(), at, textsOf(url)), { headers });
}

/** What the cache has under a key; what is too old is forgotten. */
async function readable(cache, key) {
  const kept = await cache.match(key);
  if (!kept || Date.now() - keptAt(kept) <= MAX_KEPT_MS) return kept;
  await cache.delete(key);
  return undefined;
}

function keptAt(kept) {
  return new Date(kept.headers.get(KEPT_AT) ?? 0);
}

function withNote(html, at, texts) {
  const end = html.indexOf("</head>");
  const head = html.slice(0, end).replace(/<link rel="modulepreload"[^>]*>/g, "");
  const body = html.slice(end).replace(/<script\b[^>]*>[\s\S]*?<\/script>/g, "");
  return head + body.replace(/<body[^>]*>/, (opening) => `${opening}${note(at, texts)}`);
}

function note(at, texts) {
  // By the clock of the device that kept it, wherever that is.
  const time = at.toLocaleString(texts.tag, { dateStyle: "long", timeStyle: "short" });
  return `<p class="offline-note" role="status">${texts.kept(time)} <a href="">${texts.again}</a></p>`;
}

/** For a page that was never kept: those that were. */
async function offlinePage(url) {
  const texts = textsOf(url);
  const cache = await caches.open(PAGES);
  const language = localeOf(url);
  const own = (await cache.keys()).filter((each) => localeOf(new URL(each.url)) === language);
  const links = await Promise.all(
    own.reverse().map(async (each) => {
      const html = (await (await readable(cache, each))?.text()) ?? "";
      // The title is HTML already, and stays so.
      const title = /<title>([^<]*)<\/title>/.exec(html)?.[1] ?? "";
      return (
        title &&
        `<li><a href="${escaped(new URL(each.url).pathname)}${escaped(new URL(each.url).search)}">${title}</a></li>`
      );
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

/** One page has one key: its address without what only the browser reads. */
function keyOf(url) {
  return url.origin + url.pathname + url.search;
}

/** The site's documents that are no pages have an ending. */
function isFile(url) {
  return url.pathname.startsWith("/api/") || /\.[a-z]+$/.test(url.pathname);
}

function localeOf(url) {
  return /^\/es(\/|$)/.test(url.pathname) ? "es" : "en";
}

function textsOf(url) {
  return TEXTS[localeOf(url)];
}
