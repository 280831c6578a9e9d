import { setTimeout as pause } from "node:timers/promises";

/**
 * For how long calls wait for a service that takes no connection any more: one node alone is back by then
 * where it was replaced or restarted. Later they fail at once, until it has answered.
 */
const REPLACEMENT_MS = 4_000;
const PAUSE_MS = 100;
const UNREACHED = [
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
];

/** A service that takes no connection while it is replaced. */
export class Replaceable {
  /** When nobody took a connection for the first time, and when last. */
  #away: { readonly since: number; readonly last: number } | undefined;

  /** What `call` comes to, made anew while nobody takes its connection: what nobody took was not done. */
  async reach<T>(call: () => Promise<T>): Promise<T> {
    for (;;) {
      const began = performance.now();
      try {
        const answer = await call();
        this.#away = undefined;
        return answer;
      } catch (error) {
        if (!isUnreached(error)) throw error;
        const last = performance.now();
        // What nobody has asked for that long may have come and gone again.
        const before = this.#away;
        const since = before && began - before.last <= REPLACEMENT_MS ? before.since : began;
        this.#away = { since, last };
        if (last - since > REPLACEMENT_MS) throw error;
        await pause(PAUSE_MS);
      }
    }
  }
}

/** `fetch` tells why as the cause of what it throws. */
function isUnreached(error: unknown): boolean {
  const { code, cause } = error as { code?: unknown; cause?: { code?: unknown } };
  return UNREACHED.includes(String(code ?? cause?.code));
}
