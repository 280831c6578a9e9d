import { LANGUAGE_TAG, localeOf } from "#app/lib/i18n/locale.ts";
import { messagesFor } from "#app/lib/i18n/messages.ts";
import { offlineMessages } from "./messages.ts";

const WORKER = "/sw.js";

let started: Promise<ServiceWorkerRegistration | undefined> | undefined;

/** Has the worker keep the page at this address, with those of its `images` that were seen. */
export async function keepPage(
  address: string,
  images: Iterable<HTMLImageElement> = [],
): Promise<void> {
  const registration = await startOffline();
  if (!navigator.onLine) return;
  const files = [...images]
    .filter(({ complete, naturalWidth }) => complete && naturalWidth > 0)
    .map(({ currentSrc }) => currentSrc);
  registration?.active?.postMessage({ page: address, files });
}

/** From now on the page says when it has no connection, and steps from it lead to what was kept. */
export function startOffline(): Promise<ServiceWorkerRegistration | undefined> {
  started ??= start();
  return started;
}

async function start(): Promise<ServiceWorkerRegistration | undefined> {
  if (!navigator.onLine) showNote();
  addEventListener("offline", showNote);
  addEventListener("online", removeNote);
  addEventListener("click", leaveToTheWorker, { capture: true });
  try {
    await navigator.serviceWorker.register(WORKER);
    return await navigator.serviceWorker.ready;
  } catch {
    // Private windows and full disks refuse it: the site is the same, but for when it is offline.
    return;
  }
}

/**
 * Without a connection a step within the site has no answers. The browser takes it as a whole page,
 * which the worker answers with what it has kept.
 */
function leaveToTheWorker(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
  if (link && !navigator.onLine && navigator.serviceWorker.controller) {
    event.stopImmediatePropagation();
  }
}

const NOTE = "offline-note";

/** What is shown was current until now. */
function showNote(): void {
  removeNote();
  const locale = localeOf(location.pathname);
  const note = document.createElement("p");
  note.id = NOTE;
  note.className = NOTE;
  note.setAttribute("role", "status");
  // By the visitor's own clock, wherever they are: it is their connection.
  const time = new Date().toLocaleTimeString(LANGUAGE_TAG[locale], { timeStyle: "short" });
  note.textContent = messagesFor(offlineMessages, locale).since(time);
  document.body.append(note);
}

function removeNote(): void {
  document.getElementById(NOTE)?.remove();
}
