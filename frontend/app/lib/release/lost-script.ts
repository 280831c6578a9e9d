import { read, write } from "#app/lib/browser/stored.ts";

/** Within so long of one reload there is no other: what is lost then stays lost. */
const GUARD_MS = 10_000;
const KEY = "reloaded-at";
/** What words are written in. A box that was ticked is ticked again in a moment. */
const TEXT = "input:not([type=checkbox], [type=radio], [type=range]), textarea";

/** Where somebody wrote last. */
let written: Element | undefined;

/**
 * A script that can't be loaded may be one of a build that is gone: the page starts again with the new
 * one, once, unless somebody is writing on it. The router's own scripts are reported alike
 * (`scripts/router-lost-script.ts`).
 */
export function reloadForLostScripts(): void {
  let leftAt = 0;
  addEventListener("beforeunload", () => {
    leftAt = Date.now();
  });
  addEventListener("input", ({ target }) => {
    if (target instanceof Element && target.matches(TEXT)) written = target;
  });
  addEventListener("vite:preloadError", (event) => {
    // Firefox calls off what still loads in a page that is being left: to reload would call off the
    // visitor's step too.
    const leaving = Date.now() - leftAt < GUARD_MS;
    if (!leaving && (holdsWords() || !navigator.onLine || !mayReload())) return;
    // Else the loading fails: a part is missing, or the error page says so.
    event.preventDefault();
    if (!leaving) location.reload();
  });
}

/** Whether a reload would lose what a visitor wrote: last of all, or before the script came. */
export function holdsWords(): boolean {
  return (
    written?.isConnected ||
    [...document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(TEXT)].some(
      ({ value, defaultValue }) => value !== defaultValue,
    )
  );
}

/** Whether the last reload is long enough ago; if so, this one is the last. */
export function mayReload(now = Date.now()): boolean {
  const last = Number(read(KEY, "sessionStorage") ?? 0);
  // Without a memory nothing would stop the second reload.
  return now - last >= GUARD_MS && write(KEY, String(now), "sessionStorage");
}
