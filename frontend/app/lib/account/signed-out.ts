import { isMarkedSignedIn } from "./account.ts";

/**
 * Loads a page of somebody's own again where a step back brings it as it was left, and they have signed
 * out since: who sits there by then may be another. Until what it gives is called.
 */
export function reloadOnceSignedOut(): () => void {
  const onShow = ({ persisted }: PageTransitionEvent) => {
    if (persisted && !isMarkedSignedIn(document.cookie)) location.reload();
  };
  addEventListener("pageshow", onShow);
  return () => removeEventListener("pageshow", onShow);
}
