import { Pool } from "undici";
import type { Reply } from "#app/lib/api/answer.ts";
import { neutralPath } from "#app/lib/i18n/locale.ts";
import type { PreviewOfItem } from "#app/lib/preview/preview.ts";
import { listAt } from "#app/lib/search/list-path.ts";
import { readStagingApis } from "../../../settings.js";
import { QueryService } from "./query-service.server.ts";

const LIMIT_MS = 4_500;
const LIMITS = { connectTimeout: LIMIT_MS, headersTimeout: LIMIT_MS, bodyTimeout: LIMIT_MS };

const previewService = process.env.PREVIEW_URL
  ? new Pool(process.env.PREVIEW_URL, LIMITS)
  : undefined;

/** The development APIs that editors may look at, each by its name. */
const stagingApis = new Map(
  Object.entries(readStagingApis(process.env.STAGING_APIS).apis).map(([name, address]) => [
    name,
    new QueryService(address),
  ]),
);

/** The questions whose answers a draft may change: one home, one place, one article, one page. */
const OF_ONE_ITEM =
  /^\/api\/(?:properties\/(?!map(?:\?|$))|locations\/|articles\/|pages\/)[^/?]+(?:\?|$)/;

/** A page of the documentation. Other pages ask its first one for the list of all. */
const OF_A_DOC = /^\/api\/docs(?:\/[^?]+)?(?:\?|$)/;
const DOCS = /^\/docs(?:\/|$)/;

/**
 * What every page shows: by it the page of a place knows that place, also one that is not published.
 * Other pages ask for what is.
 */
const OF_THE_SITE = /^\/api\/site(?:\?|$)/;

/** What the preview service says of one question. */
interface Draft {
  readonly reply: Reply;
  readonly told?: PreviewOfItem | undefined;
}

/** What an editor asks to see. */
export interface PreviewRequest {
  /** The name of the development API, where one is asked. */
  readonly staging: string | undefined;
  /** The draft's answer, where the question is one that drafts answer. */
  draft(address: string, signal: AbortSignal): Promise<Draft | undefined>;
  /** Who is asked for everything else, where that is a development API. */
  readonly queryService: QueryService | undefined;
}

/** An editor asked for a development API that is not among those of the configuration. */
export class UnknownStaging extends Error {
  override readonly name = "UnknownStaging";
}

/**
 * The preview that is asked for. The door alone sends these headers, with a ticket that it has checked;
 * the preview service checks it again.
 */
export function previewOf(request: Request): PreviewRequest | undefined {
  const ticket = request.headers.get("almijara-preview");
  if (ticket === null || previewService === undefined) return undefined;
  const version = request.headers.get("almijara-preview-version");
  const path = neutralPath(new URL(request.url).pathname);
  const isDoc = DOCS.test(path);
  const place = listAt(path)?.place;
  const isDraft = (address: string) =>
    OF_ONE_ITEM.test(address) || (isDoc && OF_A_DOC.test(address));
  const staging = request.headers.get("almijara-staging") || undefined;
  const queryService = staging === undefined ? undefined : stagingApis.get(staging);
  if (staging !== undefined && queryService === undefined) throw new UnknownStaging();
  return {
    staging,
    queryService,
    draft: async (address, signal) => {
      // A development API has content of its own.
      if (queryService) return undefined;
      const ofPlace = place !== undefined && OF_THE_SITE.test(address);
      if (!ofPlace && !isDraft(address)) return undefined;
      const asked = ofPlace ? withParameter(address, "place", place) : address;
      return fetchDraft(previewService, withVersion(asked, version), ticket, signal);
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
  ticket: string,
  signal: AbortSignal,
): Promise<Draft> {
  const asked = service.request({
    method: "GET",
    path,
    headers: { accept: "application/json", "almijara-preview": ticket },
    signal,
  });
  const answered = await asked.catch(() => undefined);
  if (answered === undefined) return { reply: reply(503, null) };
  const body = (await answered.body.json().catch(() => null)) as {
    answer?: unknown;
    preview?: PreviewOfItem | null;
  } | null;
  // A ticket that ends meanwhile is a passing trouble: the next request is sent to the Studio.
  if (answered.statusCode !== 200 && answered.statusCode !== 404) {
    return { reply: reply(503, null) };
  }
  const found = body?.answer ?? null;
  return {
    reply: reply(found === null ? 404 : 200, found),
    told: body?.preview ?? undefined,
  };
}

/** A draft carries no tags and no position: nothing may be kept of it, and nothing purges it. */
function reply(status: number, body: unknown): Reply {
  return { status, headers: { get: () => null }, json: async () => body };
}
