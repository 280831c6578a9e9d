import { useEffect, useState } from "react";
import { type BlockerFunction, createPath, useBlocker } from "react-router";
import { useRootData } from "#app/lib/site/root-data.ts";

/** A page that has just loaded is of the newest build, so the first check can wait. */
const FIRST_CHECK_MS = 1_000;
/** New builds are days apart: a visitor who stays longer than this on a page learns of one in time. */
const CHECK_INTERVAL_MS = 5 * 60_000;
const LATEST = "/builds/latest.json";

/** Detects a new build of the site, and makes the next navigation load a complete document. */
export function NewBuild() {
  const [old, setOld] = useState(false);
  const own = useRootData()?.build;
  useEffect(() => {
    // In development there are no builds.
    if (!import.meta.env.PROD || own === undefined) return;
    const stop = new AbortController();
    const check = async () => {
      if (document.hidden || !navigator.onLine) return;
      const latest = await latestBuild(stop.signal);
      if (latest === undefined || latest === own || stop.signal.aborted) return;
      setOld(true);
      stop.abort();
    };
    const first = setTimeout(check, FIRST_CHECK_MS);
    const each = setInterval(check, CHECK_INTERVAL_MS);
    stop.signal.addEventListener("abort", () => {
      clearTimeout(first);
      clearInterval(each);
    });
    return () => stop.abort();
  }, [own]);
  return old ? <LoadNewBuild /> : null;
}

function LoadNewBuild() {
  useBlocker(loadDocument);
  return null;
}

/** Returns the id of the build that the site serves now, or undefined if it can't be read. */
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

/** Blocks the router's navigation and has the browser load the document, which is of the new build. */
const loadDocument: BlockerFunction = ({ currentLocation, nextLocation, historyAction }) => {
  const isSamePage =
    currentLocation.pathname === nextLocation.pathname &&
    currentLocation.search === nextLocation.search;
  // A step back leads to what this page has already shown, and the browser has changed the address by itself.
  if (isSamePage || historyAction === "POP") return false;
  const address = createPath(nextLocation);
  if (historyAction === "REPLACE") location.replace(address);
  else location.assign(address);
  return true;
};
