import { LANGUAGE_TAG, localeOf } from "#app/lib/i18n/locale.ts";
import { messagesFor } from "#app/lib/i18n/messages.ts";
import { listAt } from "#app/lib/search/list-path.ts";
import type { SeenPage } from "#app/service-worker/worker-scope.ts";
import { offlineMessages } from "./messages.ts";

const WORKER = "/sw.js";

let started: Promise<ServiceWorkerRegistration | undefined> | undefined;

/** Whether the last page was a list of homes. */
let wasList = false;

/**
 * Has the worker cache the page at this address, with those of its `images` that have loaded. A list that
 * follows a list is left out: its place was chosen among the filters, and it is seldom seen twice.
 */
export async function keepPage(address: string, images: Iterable<HTMLImageElement>): Promise<void> {
  const { pathname } = new URL(address, location.origin);
  const isList = listAt(pathname) !== undefined;
  const isRefined = isList && wasList;
  wasList = isList;
  const worker = await onlineWorker();
  if (isRefined) return;
  const files = [...images]
    .filter(({ complete, naturalWidth }) => complete && naturalWidth > 0)
    .map(({ currentSrc }) => currentSrc);
  worker?.postMessage({ page: address, files } satisfies SeenPage);
}

/** Has the worker cache the page of a favourite, apart from pages that were only visited. */
export async function keepFavourite(address: string): Promise<void> {
  const worker = await onlineWorker();
  worker?.postMessage({ page: address, favourite: true } satisfies SeenPage);
}

/** Returns the worker, or nothing without a connection or where the browser refuses one. */
async function onlineWorker(): Promise<ServiceWorker | null | undefined> {
  const registration = await startOffline();
  return navigator.onLine ? registration?.active : undefined;
}

/**
 * Starts the worker. From now on the page shows a note while it has no connection, and links then lead to
 * cached pages.
 */
export function startOffline(): Promise<ServiceWorkerRegistration | undefined> {
  started ??= start();
  return started;
}

async function start(): Promise<ServiceWorkerRegistration | undefined> {
  if (!navigator.onLine) showNote();
  addEventListener("offline", showNote);
  addEventListener("online", removeNote);
  addEventListener("click", bypassRouterOffline, { capture: true });
  try {
    await navigator.serviceWorker.register(WORKER);
    return await navigator.serviceWorker.ready;
  } catch {
    // Private windows and full disks refuse it. The site works the same, except when it is offline.
    return;
  }
}

/**
 * Keeps a link from the router while there is no connection. The browser then loads it as a document, which
 * the worker answers from its cache.
 */
function bypassRouterOffline(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
  if (link && !navigator.onLine && navigator.serviceWorker.controller) {
    event.stopImmediatePropagation();
  }
}

const NOTE = "offline-note";

/** Shows since when the page has been offline: until then it was current. */
function showNote(): void {
  removeNote();
  const locale = localeOf(location.pathname);
  const note = document.createElement("p");
  note.id = NOTE;
  note.className = NOTE;
  note.setAttribute("role", "status");
  // In the visitor's own time zone: it is their connection.
  const time = new Date().toLocaleTimeString(LANGUAGE_TAG[locale], { timeStyle: "short" });
  note.textContent = messagesFor(offlineMessages, locale).since(time);
  document.body.append(note);
}

function removeNote(): void {
  document.getElementById(NOTE)?.remove();
}
