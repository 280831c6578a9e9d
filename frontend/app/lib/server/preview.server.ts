import { Pool } from "undici";
import type { Reply } from "#app/lib/api/answer.ts";
import { neutralPath } from "#app/lib/i18n/locale.ts";
import type { PreviewOfItem } from "#app/lib/preview/preview.ts";
import { listAt } from "#app/lib/search/list-path.ts";
import { readStagingApis } from "../../../settings.js";
import { QueryService } from "./query-service.server.ts";

const TIMEOUT_MS = 4_500;
const TIMEOUTS = {
  connectTimeout: TIMEOUT_MS,
  headersTimeout: TIMEOUT_MS,
  bodyTimeout: TIMEOUT_MS,
};

const previewService = process.env.PREVIEW_URL
  ? new Pool(process.env.PREVIEW_URL, TIMEOUTS)
  : undefined;

/** The development APIs that editors may preview, by name. */
const stagingApis = new Map(
  Object.entries(readStagingApis(process.env.STAGING_APIS).apis).map(([name, address]) => [
    name,
    new QueryService(address),
  ]),
);

const NO_PREVIEW_SERVICE =
  "There are no previews: PREVIEW_URL of the renderer is not set. Tell whoever operates the site.\n\n" +
  "No hay vistas previas: falta PREVIEW_URL en el renderizador. Avise a quien administra la web.\n";
const UNKNOWN_STAGING =
  "There is no development API of this name; STAGING_APIS of the renderer lists them.\n\n" +
  "No hay ninguna API de desarrollo con este nombre; STAGING_APIS del renderizador las enumera.\n";

/** Calls whose answers a draft may change: for one home, one place, one article, one page. */
const ITEM_CALL =
  /^\/api\/(?:properties\/(?!map(?:\?|$))|locations\/|articles\/|pages\/)[^/?]+(?:\?|$)/;

/**
 * Calls of the documentation pages. They count as drafts only on those pages: other pages read the first one
 * for its list of all.
 */
const DOCS_CALL = /^\/api\/docs(?:\/[^?]+)?(?:\?|$)/;
const DOCS = /^\/docs(?:\/|$)/;

/**
 * The call that every page makes. The page of a place learns of its place from it, even one that is not
 * published; other pages see only published places.
 */
const SITE_CALL = /^\/api\/site(?:\?|$)/;

/** The preview service's answer to one call. */
interface Draft {
  readonly reply: Reply;
  readonly preview?: PreviewOfItem | undefined;
}

/** A preview that an editor has requested. */
export interface PreviewRequest {
  /** The name of the development API, if one is requested. */
  readonly staging: string | undefined;
  /** Fetches the draft's answer, if drafts answer this call. */
  draft(address: string, signal: AbortSignal): Promise<Draft | undefined>;
  /** The development API that answers all other calls, if one is requested. */
  readonly queryService: QueryService | undefined;
}

/** The requested preview can't be made. The message tells the editor why. */
export class PreviewRefused extends Error {
  override readonly name = "PreviewRefused";
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Whether a missing preview service was logged. */
let isReported = false;

/**
 * Returns the preview that a request asks for. Only the door sends these headers, with a ticket that it has
 * checked; the preview service checks it again. Throws {@link PreviewRefused} if there can be none, so that
 * the editor does not take the published page for the draft.
 */
export function previewOf(request: Request): PreviewRequest | undefined {
  const ticket = request.headers.get("almijara-preview");
  if (ticket === null) return undefined;
  if (previewService === undefined) {
    if (!isReported) console.error("previews are refused: the renderer has no PREVIEW_URL");
    isReported = true;
    // The door would repeat a request that gets a 503, and show its own page.
    throw new PreviewRefused(500, NO_PREVIEW_SERVICE);
  }
  const headers: Record<string, string> = {
    accept: "application/json",
    "almijara-preview": ticket,
  };
  const traceparent = request.headers.get("traceparent");
  if (traceparent !== null) headers.traceparent = traceparent;
  const version = request.headers.get("almijara-preview-version");
  const path = neutralPath(new URL(request.url).pathname);
  const isDoc = DOCS.test(path);
  const place = listAt(path)?.place;
  const isDraft = (address: string) =>
    ITEM_CALL.test(address) || (isDoc && DOCS_CALL.test(address));
  const staging = request.headers.get("almijara-staging") || undefined;
  const queryService = staging === undefined ? undefined : stagingApis.get(staging);
  if (staging !== undefined && queryService === undefined) {
    throw new PreviewRefused(400, UNKNOWN_STAGING);
  }
  return {
    staging,
    queryService,
    draft: async (address, signal) => {
      // A development API has its own content.
      if (queryService) return undefined;
      const isPlaceCall = place !== undefined && SITE_CALL.test(address);
      if (!isPlaceCall && !isDraft(address)) return undefined;
      const call = isPlaceCall ? withParameter(address, "place", place) : address;
      return fetchDraft(previewService, withVersion(call, version), headers, signal);
    },
  };
}

function withVersion(address: string, version: string | null): string {
  return version === null ? address : withParameter(address, "version", version);
}

function withParameter(address: string, name: string, value: string): string {
  return `${address}${address.includes("?") ? "&" : "?"}${name}=${encodeURIComponent(value)}`;
}

async function fetchDraft(
  service: Pool,
  path: string,
  headers: Record<string, string>,
  signal: AbortSignal,
): Promise<Draft> {
  const requested = service.request({ method: "GET", path, headers, signal });
  const response = await requested.catch(() => undefined);
  if (response === undefined) return { reply: reply(503, null) };
  const body = (await response.body.json().catch(() => null)) as {
    answer?: unknown;
    preview?: PreviewOfItem | null;
  } | null;
  // A ticket that has just expired is a temporary failure: the door redirects the next request to the Studio.
  if (response.statusCode !== 200 && response.statusCode !== 404) {
    return { reply: reply(503, null) };
  }
  const found = body?.answer ?? null;
  return {
    reply: reply(found === null ? 404 : 200, found),
    preview: body?.preview ?? undefined,
  };
}

/** A draft has no tags and no position: it must not be cached, and nothing purges it. */
function reply(status: number, body: unknown): Reply {
  return { status, headers: { get: () => null }, json: async () => body };
}
