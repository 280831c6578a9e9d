import { setTimeout as pause } from "node:timers/promises";

/**
 * How long calls wait for a service that accepts no connections. A single node that is replaced or restarted
 * is back by then. After that, calls fail at once until the service has answered again.
 */
const REPLACEMENT_MS = 4_000;
const RETRY_DELAY_MS = 100;
const CONNECTION_ERRORS = [
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
];

/** Retries calls to a service that accepts no connections while it is replaced. */
export class Replaceable {
  /** When a connection was refused for the first time, and when for the last time. */
  #outage: { readonly since: number; readonly last: number } | undefined;

  /**
   * Returns the result of `call`, repeated while connections are refused: a call that was never received is
   * safe to repeat.
   */
  async reach<T>(call: () => Promise<T>): Promise<T> {
    for (;;) {
      const began = performance.now();
      try {
        const answer = await call();
        this.#outage = undefined;
        return answer;
      } catch (error) {
        if (!isConnectionError(error)) throw error;
        const last = performance.now();
        // Without a call for that long, the service may have been back in the meantime, so this is a new
        // outage.
        const before = this.#outage;
        const since = before && began - before.last <= REPLACEMENT_MS ? before.since : began;
        this.#outage = { since, last };
        if (last - since > REPLACEMENT_MS) throw error;
        await pause(RETRY_DELAY_MS);
      }
    }
  }
}

/** `fetch` reports the reason as the cause of its error. */
function isConnectionError(error: unknown): boolean {
  const { code, cause } = error as { code?: unknown; cause?: { code?: unknown } };
  return CONNECTION_ERRORS.includes(String(code ?? cause?.code));
}
