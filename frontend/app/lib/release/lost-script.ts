/** Within so long of one reload there is no other: what is lost then stays lost. */
const GUARD_MS = 10_000;
const KEY = "reloaded-at";

/**
 * A script that can't be loaded may be one of a build that is gone: the page starts again with the new
 * one, once, unless somebody is writing on it. The router's own scripts are reported alike
 * (`scripts/router-lost-script.ts`).
 */
export function reloadForLostScripts(): void {
  let leftAt = 0;
  let written: Node | null = null;
  addEventListener("beforeunload", () => {
    leftAt = Date.now();
  });
  addEventListener("input", ({ target }) => {
    written = target as Node | null;
  });
  addEventListener("vite:preloadError", (event) => {
    // Firefox calls off what still loads in a page that is being left: to reload would call off the
    // visitor's step too.
    const leaving = Date.now() - leftAt < GUARD_MS;
    if (!leaving && (holdsWords(written) || !navigator.onLine || !mayReload())) return;
    // Else the loading fails: a part is missing, or the error page says so.
    event.preventDefault();
    if (!leaving) location.reload();
  });
}

/** Whether a reload would lose what a visitor wrote: last of all, or before the script came. */
function holdsWords(last: Node | null): boolean {
  return (
    last?.isConnected ||
    [...document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>("input, textarea")].some(
      ({ value, defaultValue }) => value !== defaultValue,
    )
  );
}

/** Whether the last reload is long enough ago; if so, this one is the last. */
export function mayReload(now = Date.now()): boolean {
  try {
    const last = Number(sessionStorage.getItem(KEY) ?? 0);
    if (now - last < GUARD_MS) return false;
    sessionStorage.setItem(KEY, String(now));
    return true;
  } catch {
    // Without a memory nothing would stop the second reload.
    return false;
  }
}
