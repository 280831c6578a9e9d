import { CancelledError } from "@tanstack/react-query";
import { data } from "react-router";
import { ApiError } from "#app/lib/api/answer.ts";
import { type Locale, localeOf } from "#app/lib/i18n/locale.ts";
import { type ApiQuery, isGone } from "./api-query.ts";
import { browserQueryClient } from "./client.ts";

/** Where a page stands. */
export interface PageAddress {
  readonly locale: Locale;
  readonly params: Readonly<Record<string, string | undefined>>;
  readonly url: URL;
}

/** Asks the API and keeps the answer for the page's components. */
export type Read = <Body>(query: ApiQuery<Body>) => Promise<Body>;

/**
 * What a page needs before it can be shown: the same on the server, for a document, and in the
 * browser, for a later step. It may throw a redirect or `notFound()`.
 */
export type PageLoad = (read: Read, address: PageAddress) => Promise<void>;

/** Of a page that asks the API nothing. */
export const NOTHING: PageLoad = async () => undefined;

/** Asks for what a page can do without: the editors may not have written it. */
export async function readIfWritten<Body>(read: Read, query: ApiQuery<Body>): Promise<void> {
  try {
    await read(query);
  } catch (error) {
    if (!isGone(error)) throw error;
  }
}

/** What a page is that can't be shown: a status, and what is known besides. */
export type Failure = ReturnType<typeof data<unknown>>;

export function notFound(): ReturnType<typeof data<null>> {
  return data(null, { status: 404 });
}

/** An API failure as the error page and the status line want it. */
export function asRouteError(error: unknown): unknown {
  if (error instanceof ApiError) {
    const { status, body } = error;
    // A question that the API refuses comes from an address that means no page.
    if (status === 404 || status === 400) return notFound();
    if (status === 410) return data(body, { status });
    return status === 503 ? data(null, { status }) : error;
  }
  const unreachable =
    error instanceof TypeError || (error instanceof DOMException && error.name === "TimeoutError");
  return unreachable ? data(null, { status: 503 }) : error;
}

const loadMoved = () => import("./moved.ts");
// As all parts of a renderer (`release/lazy.ts`).
if (import.meta.env.SSR) void loadMoved();

/**
 * What a failed page is answered with. An address without a page, or of a home that is gone, may be one
 * that a page has left: the editors know. Few visitors come here, so the asking is a script of its own.
 * Where nobody answers that, it `isEnough` that a home is gone, unless the page may be kept for others.
 */
export async function failureOf(
  error: unknown,
  read: Read,
  address: PageAddress,
  isEnough = false,
): Promise<unknown> {
  const failure = asRouteError(error) as Partial<Failure> | null;
  const status = failure?.init?.status;
  if (status !== 404 && status !== 410) return failure;
  try {
    return await (await loadMoved()).movedFrom(read, address, failure as Failure);
  } catch (unanswered) {
    return isEnough && status === 410 ? failure : asRouteError(unanswered);
  }
}

interface LoaderArguments {
  readonly params: Readonly<Record<string, string | undefined>>;
  readonly url: URL;
}

/** Where a loader stands. */
export function pageAddress({ params, url }: LoaderArguments): PageAddress {
  return { locale: localeOf(url.pathname), params, url };
}

/** The browser's loader: straight to the API, and only for what is not known yet. */
export function browserPage(load = NOTHING) {
  return async (from: LoaderArguments): Promise<null> => {
    const client = browserQueryClient();
    const read: Read = async (query) => {
      const asked = { ...query, staleTime: "static" } as const;
      const answer = await client.query(asked).catch((error: unknown) => {
        if (error instanceof CancelledError) return client.query(asked);
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
