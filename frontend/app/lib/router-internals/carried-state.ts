import { read, write } from "#app/lib/browser/stored.ts";
import type { NavigationState } from "#app/lib/search/navigation-state.ts";

const KEY = "carried-state";

/**
 * Passes this page's history state to the document at `address`, which the browser is about to load: the same
 * page in another language was found by the same search.
 */
export function carryState(address: string, state: NavigationState | null): void {
  if (!state) return;
  const carried: NavigationState = { ...state, isCarried: true };
  write(KEY, JSON.stringify([address, carried]), "sessionStorage");
}

/**
 * Moves the state that was passed to this document into its history entry: the router reads the state of its
 * first location from the entry's `usr`.
 */
export function takeCarriedState(): void {
  const carried = read(KEY, "sessionStorage");
  write(KEY, null, "sessionStorage");
  try {
    const [address, state] = JSON.parse(carried ?? "[]");
    if (address !== location.pathname + location.search || history.state?.usr) return;
    history.replaceState({ ...history.state, usr: state }, "");
  } catch {
    // Other code may have written to the tab's storage.
  }
}
