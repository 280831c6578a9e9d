const KEY = "carried-state";

/**
 * Has the document at `address`, which the browser is about to load, start with what the history holds
 * of this page: the same page in another language was found by the same search.
 */
export function carryState(address: string, state: unknown): void {
  try {
    if (state) sessionStorage.setItem(KEY, JSON.stringify({ address, state }));
  } catch {
    // Without a memory the page is one that was come to from elsewhere.
  }
}

/** Puts what was carried to this document into its history, where the router looks for it. */
export function takeCarriedState(): void {
  try {
    const { address, state } = JSON.parse(sessionStorage.getItem(KEY) ?? "{}");
    sessionStorage.removeItem(KEY);
    if (address !== location.pathname + location.search || history.state?.usr) return;
    history.replaceState({ ...history.state, usr: state }, "");
  } catch {
    // As above.
  }
}
