import { createContext, type RouterContextProvider } from "react-router";
import { ApiError, sequenceOf, type Transport, tagsOf } from "#app/lib/api/answer.ts";
import { PREVIEW_KEY, type Preview, type PreviewOfItem } from "#app/lib/preview/preview.ts";
import { makeQueryClient } from "#app/lib/query/client.ts";
import { PreviewRefused, type PreviewRequest, previewOf } from "./preview.server.ts";
import { QueryService } from "./query-service.server.ts";

const queryService = new QueryService(process.env.QUERY_URL ?? "http://127.0.0.1:8081");

/** Headers of the page's request that are forwarded to the query service. */
const FORWARDED_HEADERS = ["almijara-min-sequence", "traceparent", "tracestate"];

/** Whether caches may keep a page for all visitors, or it is one visitor's own. */
export type Cacheability = "public" | "private";

/** Records what one page was made from, while its loaders fetch. */
export class RenderRecord {
  /** Set by the page's route; by default the page is not cached. */
  cacheability: Cacheability = "private";

  readonly #tags = new Set<string>();
  // On the same machine, compressing an answer takes longer than sending it uncompressed.
  readonly #headers: Record<string, string> = {
    accept: "application/json",
    "accept-encoding": "identity",
  };
  /** The preview that an editor has requested, by headers that only the door sets. */
  readonly #preview: PreviewRequest | undefined;
  #sequence: number | undefined;

  constructor(request: Request) {
    this.#preview = previewOf(request);
    if (this.#preview) this.#setPreview();
    for (const name of FORWARDED_HEADERS) {
      const value = request.headers.get(name);
      // A development API has its own log, with other positions.
      const isForMainLog = name === "almijara-min-sequence" && this.#preview?.staging !== undefined;
      if (value !== null && !isForMainLog) this.#headers[name] = value;
    }
  }

  /** Fetches from the query service over loopback. */
  readonly transport: Transport = async (address, signal) => {
    const draft = await this.#preview?.draft(address, signal);
    if (draft) {
      if (draft.preview) this.#setPreview(draft.preview);
      return draft.reply;
    }
    const requested = (this.#preview?.queryService ?? queryService).request({
      method: "GET",
      path: address,
      headers: this.#headers,
      signal,
    });
    const { statusCode, headers, text } = await requested.catch((error: unknown) => {
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

  /** The cache that all loaders of the page fill, and its components read: each query is fetched once. */
  readonly client = makeQueryClient(this.transport, 0);

  /** Stores the preview's details in the cache, beside the answers. */
  #setPreview(item?: PreviewOfItem): void {
    const preview: Preview = { origin: siteOrigin(), staging: this.#preview?.staging, item };
    this.client.setQueryData(PREVIEW_KEY, preview);
  }

  /**
   * Sets the response's cache headers: for the cache in front what the page was made from, and for browsers
   * to revalidate each time.
   */
  setHeaders(response: Response): void {
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
    if (this.cacheability === "private") {
      headers.set("cache-control", "private, no-store");
      return;
    }
    headers.set("cache-control", "public, max-age=0, must-revalidate");
    if (this.#tags.size > 0) headers.set("surrogate-key", [...this.#tags].join(" "));
    if (this.#sequence !== undefined) headers.set("almijara-sequence", String(this.#sequence));
  }
}

/** The record of the current request. */
export const renderRecord = createContext<RenderRecord>();

/** Middleware that makes a record for each document, and sets the cache headers of the response. */
export async function recordRender(
  { request, context }: { request: Request; context: Readonly<RouterContextProvider> },
  next: () => Promise<Response>,
): Promise<Response> {
  let record: RenderRecord;
  try {
    record = new RenderRecord(request);
  } catch (error) {
    if (!(error instanceof PreviewRefused)) throw error;
    return new Response(error.message, {
      status: error.status,
      headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" },
    });
  }
  context.set(renderRecord, record);
  try {
    const response = await next();
    record.setHeaders(response);
    return response;
  } finally {
    record.client.clear();
  }
}

/** Returns the site's public origin: the start of every canonical address. */
export function siteOrigin(): string {
  return new URL(process.env.PUBLIC_URL ?? "http://localhost:8080").origin;
}
