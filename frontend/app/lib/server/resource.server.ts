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
  /** Where the public finds the site. */
  readonly origin: string;
  /** Whether it is still waited for. */
  readonly signal: AbortSignal;
  /** Has nobody keep what is made: it lacks something that may be there in a moment. */
  readonly leaveUnkept: () => void;
}

/** Makes a document, a text or the bytes of a file; none where there is no such document. */
type Make = (
  read: Read,
  address: ResourceAddress,
) => Promise<string | Uint8Array<ArrayBuffer> | undefined>;

/**
 * The loader of a document that is no page: a map, a feed, a sheet to print. What it asks is on the
 * record like a page's questions, so the cache in front purges it in the same way.
 */
export function serverResource(
  contentType: string,
  make: Make,
  headers: Record<string, string> = {},
) {
  return async (from: LoaderArguments): Promise<Response> => {
    const record = from.context.get(renderRecord);
    record.audience = "everybody";
    const read: Read = async <Body>(query: ApiQuery<Body>) =>
      (await send<Body>(record.transport, query, from.request.signal)).body;
    try {
      const { signal } = from.request;
      const leaveUnkept = () => {
        record.audience = "one visitor";
      };
      const address = { ...pageAddress(from), origin: siteOrigin(), signal, leaveUnkept };
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

/** The status in what `data()` makes. */
function thrownStatus(thrown: unknown): number | undefined {
  return (thrown as { init?: { status?: number } | null } | null)?.init?.status;
}
