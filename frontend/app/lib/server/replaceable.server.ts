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
  #awaySince: number | undefined;

  /** What `call` comes to, made anew while nobody takes its connection: what nobody took was not done. */
  async reach<T>(call: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        const answer = await call();
        this.#awaySince = undefined;
        return answer;
      } catch (error) {
        if (!isUnreached(error)) {
          this.#awaySince = undefined;
          throw error;
        }
        this.#awaySince ??= performance.now();
        if (performance.now() - this.#awaySince > REPLACEMENT_MS) throw error;
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
