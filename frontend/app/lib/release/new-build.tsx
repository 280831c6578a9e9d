import { useEffect, useState } from "react";
import { type BlockerFunction, createPath, useBlocker } from "react-router";

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
  const [old, setOld] = useState(false);
  useEffect(() => {
    const own = window.__reactRouterManifest?.version;
    // In development there are no builds.
    if (!import.meta.env.PROD || own === undefined) return;
    const stop = new AbortController();
    const look = async () => {
      if (document.hidden || !navigator.onLine) return;
      const latest = await latestBuild(stop.signal);
      if (latest === undefined || latest === own || stop.signal.aborted) return;
      setOld(true);
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
  return old ? <TakeNewBuild /> : null;
}

function TakeNewBuild() {
  useBlocker(leaveToTheBrowser);
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

/** Keeps a step from the router: the browser takes it, and gets the new build's page. */
const leaveToTheBrowser: BlockerFunction = ({ currentLocation, nextLocation, historyAction }) => {
  const stays =
    currentLocation.pathname === nextLocation.pathname &&
    currentLocation.search === nextLocation.search;
  // Going back leads to what this page has already shown, and the browser has gone there by itself.
  if (stays || historyAction === "POP") return false;
  const address = createPath(nextLocation);
  if (historyAction === "REPLACE") location.replace(address);
  else location.assign(address);
  return true;
};
