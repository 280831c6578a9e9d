import { isMarkedSignedIn, readMe } from "./account.ts";

/**
 * Reloads a private page when it becomes visible after its owner has signed out, or somebody else has signed
 * in: in another tab, or before a step back that restores the page from the back/forward cache. Returns a
 * function that stops it.
 */
export function reloadOnceSignedOut(): () => void {
  const stop = new AbortController();
  const owner = readMe().catch(() => undefined);
  const check = async ({ persisted = true }: Partial<PageTransitionEvent>) => {
    if (!persisted || document.hidden) return;
    if (!isMarkedSignedIn(document.cookie)) return location.reload();
    const [before, now] = await Promise.all([owner, readMe().catch(() => undefined)]);
    // If the account can't be read, it is assumed to be the same.
    const isOtherAccount = before && now && before.account?.email !== now.account?.email;
    if (isOtherAccount && !stop.signal.aborted) location.reload();
  };
  document.addEventListener("visibilitychange", check, { signal: stop.signal });
  addEventListener("pageshow", check, { signal: stop.signal });
  return () => stop.abort();
}
