import { QueryClient } from "@tanstack/react-query";
import { ApiError, type Transport } from "#app/lib/api/answer.ts";
import { send } from "./api-query.ts";
import { freshness } from "./freshness.ts";

/**
 * Makes a client whose answers stay fresh until a change invalidates them: only the change stream does, not
 * time.
 */
export function makeQueryClient(transport: Transport, retries: number): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        queryFn: ({ queryKey, signal, meta }) => send(transport, { queryKey, meta }, signal),
        staleTime: Number.POSITIVE_INFINITY,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        // A client error stays an error; a lost connection, a node that lags behind or an overload is
        // temporary.
        retry: (failures, error) =>
          failures < retries &&
          !(error instanceof ApiError && error.status < 500 && error.status !== 429),
        retryDelay: (failures) => Math.min(250 * 2 ** failures, 4_000),
      },
    },
  });
}

const FETCH_LIMIT_MS = 10_000;

/**
 * Fetches from the site's own origin, and asks for an answer no older than the latest change that the page
 * knows of.
 */
const browserTransport: Transport = (address, signal) =>
  fetch(address, {
    headers: { accept: "application/json", ...freshness.header() },
    signal: AbortSignal.any([signal, AbortSignal.timeout(FETCH_LIMIT_MS)]),
  });

let shared: QueryClient | undefined;

/** Returns the browser's shared client: loaders and components use the same cache. */
export function browserQueryClient(): QueryClient {
  shared ??= makeQueryClient(browserTransport, 3);
  return shared;
}
