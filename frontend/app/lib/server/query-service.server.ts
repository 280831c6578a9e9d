import { Client, type Dispatcher, Pool } from "undici";
import { Replaceable } from "./replaceable.server.ts";

const TIMEOUT_MS = 3_000;
const TIMEOUTS = {
  connectTimeout: TIMEOUT_MS,
  headersTimeout: TIMEOUT_MS,
  bodyTimeout: TIMEOUT_MS,
};
/** Statuses of a node that can't answer at the moment, although another node may. */
const UNAVAILABLE = [502, 503, 504];

/** A completely received answer. */
type QueryAnswer = Pick<Dispatcher.ResponseData, "statusCode" | "headers"> & {
  readonly text: string;
};

/** The client of the query service, which may have several nodes behind one name. */
export class QueryService {
  readonly #url: string;
  /** Twice as fast as `fetch`, whose bodies are web streams. */
  readonly #pool: Pool;
  readonly #nodes = new Replaceable();

  constructor(url: string) {
    this.#url = url;
    this.#pool = new Pool(url, TIMEOUTS);
  }

  /**
   * Makes a read-only call. If the node can't answer, or ends before its answer is complete, the call is
   * repeated on a new connection, which leads to another node if there is one. If no node accepts a
   * connection, the call waits: the node may be being replaced.
   */
  request(call: Dispatcher.RequestOptions): Promise<QueryAnswer> {
    return this.#nodes.reach(() => this.#ask(call));
  }

  async #ask(call: Dispatcher.RequestOptions): Promise<QueryAnswer> {
    const answer = await readFully(this.#pool, call).catch(() => undefined);
    if (answer && !UNAVAILABLE.includes(answer.statusCode)) return answer;
    if (call.signal instanceof AbortSignal) call.signal.throwIfAborted();
    const freshClient = new Client(this.#url, TIMEOUTS);
    try {
      return await readFully(freshClient, call);
    } catch (error) {
      if (answer) return answer;
      throw error;
    } finally {
      void freshClient.close();
    }
  }
}

async function readFully(node: Dispatcher, call: Dispatcher.RequestOptions): Promise<QueryAnswer> {
  const { statusCode, headers, body } = await node.request(call);
  return { statusCode, headers, text: await body.text() };
}
