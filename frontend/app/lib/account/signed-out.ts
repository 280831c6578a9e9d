import { isMarkedSignedIn, readMe } from "./account.ts";

/**
 * Loads a page of somebody's own again once it is looked at after they have signed out, or somebody else has
 * signed in: in another tab, or before a step back that brings it as it was left. Until what it gives is called.
 */
export function reloadOnceSignedOut(): () => void {
  const isOver = new AbortController();
  const owner = readMe().catch(() => undefined);
  const look = async ({ persisted = true }: Partial<PageTransitionEvent>) => {
    if (!persisted || document.hidden) return;
    if (!isMarkedSignedIn(document.cookie)) return location.reload();
    const [before, now] = await Promise.all([owner, readMe().catch(() => undefined)]);
    // Where nobody says who it is, it is taken for the same.
    const isAnother = before && now && before.account?.email !== now.account?.email;
    if (isAnother && !isOver.signal.aborted) location.reload();
  };
  document.addEventListener("visibilitychange", look, { signal: isOver.signal });
  addEventListener("pageshow", look, { signal: isOver.signal });
  return () => isOver.abort();
}
