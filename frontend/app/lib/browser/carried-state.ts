import { read, write } from "./stored.ts";

const KEY = "carried-state";

/**
 * Has the document at `address`, which the browser is about to load, start with what the history holds
 * of this page: the same page in another language was found by the same search.
 */
export function carryState(address: string, state: unknown): void {
  if (state) write(KEY, JSON.stringify({ address, state }), "sessionStorage");
}

/** Puts what was carried to this document into its history, where the router looks for it. */
export function takeCarriedState(): void {
  const carried = read(KEY, "sessionStorage");
  write(KEY, null, "sessionStorage");
  try {
    const { address, state } = JSON.parse(carried ?? "{}");
    if (address !== location.pathname + location.search || history.state?.usr) return;
    history.replaceState({ ...history.state, usr: state }, "");
  } catch {
    // Others write to a tab's storage too.
  }
}
