import { STATUS_CODES } from "node:http";
import type { RouterContextProvider } from "react-router";
import { type ApiQuery, send } from "#app/lib/query/api-query.ts";
import {
  asRouteError,
  notFound,
  type PageAddress,
  pageAddress,
  type Read,
} from "#app/lib/query/page.ts";
import { renderRecord, siteOrigin } from "./render-record.server.ts";

interface LoaderArguments {
  readonly request: Request;
  readonly params: Readonly<Record<string, string | undefined>>;
  readonly url: URL;
  readonly context: Readonly<RouterContextProvider>;
}

interface ResourceAddress extends PageAddress {
  /** The site's public origin. */
  readonly origin: string;
  /** Aborts when the client no longer waits for the response. */
  readonly signal: AbortSignal;
  /** Keeps the response out of caches, for example because it lacks something that may be available in a moment. */
  readonly preventCaching: () => void;
}

/** Makes a document, as text or as bytes; undefined if there is no such document. */
type Make = (
  read: Read,
  address: ResourceAddress,
) => Promise<string | Uint8Array<ArrayBuffer> | undefined>;

/**
 * Makes the loader of a document that is not a page: a sitemap, a feed, a sheet to print. Its queries are
 * recorded like a page's, so the cache in front purges it in the same way.
 */
export function serverResource(
  contentType: string,
  make: Make,
  headers: Record<string, string> = {},
) {
  return async (from: LoaderArguments): Promise<Response> => {
    const record = from.context.get(renderRecord);
    record.cacheability = "public";
    const read: Read = async <Body>(query: ApiQuery<Body>) =>
      (await send<Body>(record.transport, query, from.request.signal)).body;
    try {
      const { signal } = from.request;
      const preventCaching = () => {
        record.cacheability = "private";
      };
      const address = { ...pageAddress(from), origin: siteOrigin(), signal, preventCaching };
      const body = await make(read, address);
      if (body === undefined) throw notFound();
      const type = typeof body === "string" ? `${contentType}; charset=utf-8` : contentType;
      return new Response(body, { headers: { ...headers, "content-type": type } });
    } catch (error) {
      const known = asRouteError(error);
      const status = thrownStatus(known);
      if (status === undefined) throw known;
      return new Response(`${STATUS_CODES[status]}\n`, {
        status,
        headers: { "content-type": "text/plain; charset=utf-8" },
      });
    }
  };
}

/** Returns the status of a thrown `data()` value. */
function thrownStatus(thrown: unknown): number | undefined {
  return (thrown as { init?: { status?: number } | null } | null)?.init?.status;
}
