import { useEffect } from "react";

declare global {
  interface Window {
    /** What the router knows of the build that the page is of. */
    __reactRouterManifest?: { readonly version: string };
  }
}

/** A page that has just been opened is of the newest build: the first look may wait. */
const FIRST_LOOK_MS = 1_000;
/** A build is a matter of days: whoever stays longer than this on a page learns of it in time. */
const LOOK_EVERY_MS = 5 * 60_000;
const LATEST = "/builds/latest.json";

/** Notices that the site was built anew, and has the next step within it load a whole page. */
export function NewBuild() {
  useEffect(() => {
    const own = window.__reactRouterManifest?.version;
    // In development there are no builds.
    if (!import.meta.env.PROD || own === undefined) return;
    const stop = new AbortController();
    const look = async () => {
      if (document.hidden || !navigator.onLine) return;
      const latest = await latestBuild(stop.signal);
      if (latest === undefined || latest === own || stop.signal.aborted) return;
      addEventListener("click", leaveToTheBrowser, { capture: true });
      stop.abort();
    };
    const first = setTimeout(look, FIRST_LOOK_MS);
    const each = setInterval(look, LOOK_EVERY_MS);
    stop.signal.addEventListener("abort", () => {
      clearTimeout(first);
      clearInterval(each);
    });
    return () => stop.abort();
  }, []);
  return null;
}

/** The id of the build that the site serves now; none where it can't be told. */
async function latestBuild(signal: AbortSignal): Promise<string | undefined> {
  try {
    const answer = await fetch(LATEST, { cache: "no-cache", signal });
    if (!answer.ok) return;
    const { id } = (await answer.json()) as { id?: unknown };
    return typeof id === "string" ? id : undefined;
  } catch {
    return;
  }
}

/** Keeps a link from the router: the browser follows it then, and gets the new build's page. */
function leaveToTheBrowser(event: MouseEvent): void {
  if (event.target instanceof Element && event.target.closest("a[href]")) {
    event.stopImmediatePropagation();
  }
}
