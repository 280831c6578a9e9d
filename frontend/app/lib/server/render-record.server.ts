import { createContext, type RouterContextProvider } from "react-router";
import { ApiError, sequenceOf, type Transport, tagsOf } from "#app/lib/api/answer.ts";
import { PREVIEW_KEY, type Preview, type PreviewOfItem } from "#app/lib/preview/preview.ts";
import { makeQueryClient } from "#app/lib/query/client.ts";
import { type PreviewRequest, previewOf, UnknownStaging } from "./preview.server.ts";
import { QueryService } from "./query-service.server.ts";

const queryService = new QueryService(process.env.QUERY_URL ?? "http://127.0.0.1:8081");

/** Headers of the page's request that each question to the query service carries on. */
const PASSED_ON = ["almijara-min-sequence", "traceparent", "tracestate"];

/** Whom a page is for. */
export type Audience = "everybody" | "one visitor";

/** What one page was made from, gathered while its loaders ask. */
export class RenderRecord {
  /** As its route says; while nothing is said, nobody keeps the page. */
  audience: Audience = "one visitor";

  readonly #tags = new Set<string>();
  // On one machine, packing an answer takes longer than sending it as it is.
  readonly #headers: Record<string, string> = {
    accept: "application/json",
    "accept-encoding": "identity",
  };
  /** What an editor asks to see; the door alone says so. */
  readonly #preview: PreviewRequest | undefined;
  #sequence: number | undefined;

  constructor(request: Request) {
    this.#preview = previewOf(request);
    if (this.#preview) this.#tell();
    for (const name of PASSED_ON) {
      const value = request.headers.get(name);
      // A development API has a log of its own.
      const ofOurLog = name === "almijara-min-sequence" && this.#preview?.staging !== undefined;
      if (value !== null && !ofOurLog) this.#headers[name] = value;
    }
  }

  /** Asks the query service over loopback. */
  readonly transport: Transport = async (address, signal) => {
    const draft = await this.#preview?.draft(address, signal);
    if (draft) {
      if (draft.told) this.#tell(draft.told);
      return draft.reply;
    }
    const answered = (this.#preview?.queryService ?? queryService).request({
      method: "GET",
      path: address,
      headers: this.#headers,
      signal,
    });
    const { statusCode, headers, text } = await answered.catch((error: unknown) => {
      throw new ApiError(503, `the query service does not answer: ${error}`);
    });
    const reply = {
      status: statusCode,
      headers: { get: (name: string) => headers[name]?.toString() ?? null },
      json: async () => JSON.parse(text) as unknown,
    };
    for (const tag of tagsOf(reply.headers)) this.#tags.add(tag);
    const sequence = sequenceOf(reply.headers);
    if (sequence !== undefined) this.#sequence = Math.min(this.#sequence ?? sequence, sequence);
    return reply;
  };

  /** What all loaders of the page ask, and its components read: each question is asked once. */
  readonly client = makeQueryClient(this.transport, 0);

  /** Leaves the page what its editor is told, beside the answers. */
  #tell(item?: PreviewOfItem): void {
    const preview: Preview = { origin: siteOrigin(), staging: this.#preview?.staging, item };
    this.client.setQueryData(PREVIEW_KEY, preview);
  }

  /** Tells the cache in front what the page was made from, and browsers to ask each time. */
  describe(response: Response): void {
    const { headers, status } = response;
    if (this.#preview) {
      headers.set("cache-control", "private, no-store");
      headers.set("x-robots-tag", "noindex, nofollow");
      return;
    }
    if (status >= 500) {
      headers.set("cache-control", "no-store");
      if (status === 503) headers.set("retry-after", "1");
      return;
    }
    if (this.audience === "one visitor") {
      headers.set("cache-control", "private, no-store");
      return;
    }
    headers.set("cache-control", "public, max-age=0, must-revalidate");
    if (this.#tags.size > 0) headers.set("surrogate-key", [...this.#tags].join(" "));
    if (this.#sequence !== undefined) headers.set("almijara-sequence", String(this.#sequence));
  }
}

/** The record of the request at hand. */
export const renderRecord = createContext<RenderRecord>();

/** Starts a record for each document and has it describe the response. */
export async function recordRender(
  { request, context }: { request: Request; context: Readonly<RouterContextProvider> },
  next: () => Promise<Response>,
): Promise<Response> {
  let record: RenderRecord;
  try {
    record = new RenderRecord(request);
  } catch (error) {
    if (!(error instanceof UnknownStaging)) throw error;
    return new Response("There is no development API of this name; STAGING_APIS lists them\n", {
      status: 400,
      headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" },
    });
  }
  context.set(renderRecord, record);
  try {
    const response = await next();
    record.describe(response);
    return response;
  } finally {
    record.client.clear();
  }
}

/** Where the public finds the site: the start of every canonical address. */
export function siteOrigin(): string {
  return new URL(process.env.PUBLIC_URL ?? "http://localhost:8080").origin;
}
