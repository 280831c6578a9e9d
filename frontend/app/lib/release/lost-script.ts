import { read, write } from "#app/lib/browser/stored.ts";

/** No second reload happens within this time: a script that is still missing then stays missing. */
const GUARD_MS = 10_000;
const KEY = "reloaded-at";
/** Fields for text. A ticked box is excluded: it is quickly ticked again. */
const TEXT = "input:not([type=checkbox], [type=radio], [type=range]), textarea";

/** The field that was edited last. */
let editedField: Element | undefined;

/**
 * Reloads the page when a script can't be loaded, since it may belong to a build that is gone: once, and not
 * while the visitor is typing. The router's own scripts report failures in the same way
 * (`scripts/router-lost-script.ts`).
 */
export function reloadForLostScripts(): void {
  let leftAt = 0;
  addEventListener("beforeunload", () => {
    leftAt = Date.now();
  });
  addEventListener("input", ({ target }) => {
    if (target instanceof Element && target.matches(TEXT)) editedField = target;
  });
  addEventListener("vite:preloadError", (event) => {
    // Firefox aborts pending loads of a page that is being left. A reload would abort the visitor's
    // navigation too.
    const leaving = Date.now() - leftAt < GUARD_MS;
    if (!leaving && (hasUnsavedText() || !navigator.onLine || !mayReload())) return;
    // Without this the import would fail: a part would be missing, or the error page would be shown.
    event.preventDefault();
    if (!leaving) location.reload();
  });
}

/** Returns whether a reload would lose text that the visitor typed, before or after hydration. */
export function hasUnsavedText(): boolean {
  return (
    editedField?.isConnected ||
    [...document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(TEXT)].some(
      ({ value, defaultValue }) => value !== defaultValue,
    )
  );
}

/** Returns whether the last reload is long enough ago; if so, records this one as the last. */
export function mayReload(now = Date.now()): boolean {
  const last = Number(read(KEY, "sessionStorage") ?? 0);
  // Without storage nothing would prevent a reload loop.
  return now - last >= GUARD_MS && write(KEY, String(now), "sessionStorage");
}
