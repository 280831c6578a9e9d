import { read, write } from "./stored.ts";

const KEY = "carried-state";

/**
 * Passes this page's history state to the document at `address`, which the browser is about to load: the same
 * page in another language was found by the same search.
 */
export function carryState(address: string, state: unknown): void {
  if (state) write(KEY, JSON.stringify({ address, state }), "sessionStorage");
}

/** Moves the state that was passed to this document into its history entry, where the router reads it. */
export function takeCarriedState(): void {
  const carried = read(KEY, "sessionStorage");
  write(KEY, null, "sessionStorage");
  try {
    const { address, state } = JSON.parse(carried ?? "{}");
    if (address !== location.pathname + location.search || history.state?.usr) return;
    history.replaceState({ ...history.state, usr: state }, "");
  } catch {
    // Other code may have written to the tab's storage.
  }
}
