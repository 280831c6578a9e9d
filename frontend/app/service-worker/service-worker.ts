// The service worker: visited pages and favourites can be read offline, each with a note that says when it
// was stored. It never answers for the API, and for pages it always tries the network first.
import { offlinePage, storedPage } from "./offline-page.ts";
import {
  deleteOldCaches,
  isFile,
  storedFile,
  storedWidth,
  storeFetchedFile,
  storePage,
  storeSeen,
} from "./store.ts";
import type { RequestEvent, WorkerScope } from "./worker-scope.ts";

const worker = self as unknown as WorkerScope;

worker.addEventListener("install", () => {
  // Nothing is precached, so a new worker can take over at once.
  void worker.skipWaiting();
});

worker.addEventListener("activate", (event) => event.waitUntil(activate()));

worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== worker.location.origin) return;
  if (request.mode === "navigate") {
    if (!isFile(url)) event.respondWith(page(event, url));
  } else if (url.pathname.startsWith("/assets/") || url.pathname.startsWith("/media/")) {
    event.respondWith(file(event));
  }
});

worker.addEventListener("message", (event) => {
  if (typeof event.data?.page === "string") event.waitUntil(storeSeen(event.data));
});

async function activate(): Promise<void> {
  await deleteOldCaches();
  // The browser requests the page while the worker starts.
  await worker.registration.navigationPreload?.enable();
  await worker.clients.claim();
}

/** Answers from the network, or without a connection with the stored page. */
async function page(event: RequestEvent, url: URL): Promise<Response> {
  try {
    const response = (await event.preloadResponse) ?? (await fetch(event.request));
    event.waitUntil(storePage(url, response.clone()));
    return response;
  } catch {
    return (await storedPage(url)) ?? offlinePage(url);
  }
}

/** Answers files and pictures from the cache first: each version of them has its own address. */
async function file(event: RequestEvent): Promise<Response> {
  const { url } = event.request;
  const stored = await storedFile(url);
  if (stored) return stored;
  try {
    const response = await fetch(event.request);
    event.waitUntil(storeFetchedFile(url, response));
    return response;
  } catch {
    return (await storedWidth(url)) ?? Response.error();
  }
}
