import { CancelledError } from "@tanstack/react-query";
import { data } from "react-router";
import { ApiError } from "#app/lib/api/answer.ts";
import { type Locale, localeOf } from "#app/lib/i18n/locale.ts";
import { type ApiQuery, isGone } from "./api-query.ts";
import { browserQueryClient } from "./client.ts";

/** The address of a page. */
export interface PageAddress {
  readonly locale: Locale;
  readonly params: Readonly<Record<string, string | undefined>>;
  readonly url: URL;
}

/** Fetches from the API and caches the answer for the page's components. */
export type Read = <Body>(query: ApiQuery<Body>) => Promise<Body>;

/**
 * Loads what a page needs before it can be shown. It is the same on the server, for a document, and in the
 * browser, for a later navigation. It may throw a redirect or `notFound()`.
 */
export type PageLoad = (read: Read, address: PageAddress) => Promise<void>;

/** For a page that needs nothing from the API. */
export const NOTHING: PageLoad = async () => undefined;

/** Fetches content that is optional: the editors may not have written it. */
export async function readIfWritten<Body>(read: Read, query: ApiQuery<Body>): Promise<void> {
  try {
    await read(query);
  } catch (error) {
    if (!isGone(error)) throw error;
  }
}

/** The response for a page that can't be shown: a status, and details if there are any. */
export type Failure = ReturnType<typeof data<unknown>>;

export function notFound(): ReturnType<typeof data<null>> {
  return data(null, { status: 404 });
}

/** Converts an API error to a route error with the status for the error page. */
export function asRouteError(error: unknown): unknown {
  if (error instanceof ApiError) {
    const { status, body } = error;
    // A query that the API rejects comes from an address that is no page.
    if (status === 404 || status === 400) return notFound();
    if (status === 410) return data(body, { status });
    return status === 503 ? data(null, { status }) : error;
  }
  const unreachable =
    error instanceof TypeError || (error instanceof DOMException && error.name === "TimeoutError");
  return unreachable ? data(null, { status: 503 }) : error;
}

const loadMoved = () => import("./moved.ts");
// Loaded at start, like all lazy parts of a renderer (`release/lazy.ts`).
if (import.meta.env.SSR) void loadMoved();

/**
 * Returns the response to a failed page. The editors may have entered a redirect for an address without a
 * page, or of a home that is gone. Few visitors need that, so the check is in a script of its own. If the
 * check itself fails, `isGoneEnough` makes a home that is gone be reported as gone; without it, for a page
 * that may be cached for others, the check's own error is returned.
 */
export async function failureOf(
  error: unknown,
  read: Read,
  address: PageAddress,
  isGoneEnough = false,
): Promise<unknown> {
  const failure = asRouteError(error) as Partial<Failure> | null;
  const status = failure?.init?.status;
  if (status !== 404 && status !== 410) return failure;
  try {
    return await (await loadMoved()).movedFrom(read, address, failure as Failure);
  } catch (unanswered) {
    return isGoneEnough && status === 410 ? failure : asRouteError(unanswered);
  }
}

interface LoaderArguments {
  readonly params: Readonly<Record<string, string | undefined>>;
  readonly url: URL;
}

/** Returns the address of a loader's page. */
export function pageAddress({ params, url }: LoaderArguments): PageAddress {
  return { locale: localeOf(url.pathname), params, url };
}

/** Makes the browser's loader. It fetches directly from the API, and only what is not cached yet. */
export function browserPage(load = NOTHING) {
  return async (from: LoaderArguments): Promise<null> => {
    const client = browserQueryClient();
    const read: Read = async (query) => {
      const cached = { ...query, staleTime: "static" } as const;
      const answer = await client.query(cached).catch((error: unknown) => {
        if (error instanceof CancelledError) return client.query(cached);
        throw error;
      });
      return answer.body;
    };
    const address = pageAddress(from);
    try {
      await load(read, address);
    } catch (error) {
      throw await failureOf(error, read, address, true);
    }
    return null;
  };
}
