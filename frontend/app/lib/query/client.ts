import { QueryClient } from "@tanstack/react-query";
import { ApiError, type Transport } from "#app/lib/api/answer.ts";
import { send } from "./api-query.ts";
import { freshness } from "./freshness.ts";

/**
 * A client whose answers stay good until a change says otherwise: the change stream invalidates
 * them, time does not.
 */
export function makeQueryClient(transport: Transport, retries: number): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        queryFn: ({ queryKey, signal, meta }) => send(transport, { queryKey, meta }, signal),
        staleTime: Number.POSITIVE_INFINITY,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        // What is wrong with the question stays wrong; a lost connection, a node behind or a crowd passes.
        retry: (failures, error) =>
          failures < retries &&
          !(error instanceof ApiError && error.status < 500 && error.status !== 429),
        retryDelay: (failures) => Math.min(250 * 2 ** failures, 4_000),
      },
    },
  });
}

const FETCH_LIMIT_MS = 10_000;

/** Asks the site's own origin, for an answer no older than what the page has heard of. */
const browserTransport: Transport = (address, signal) =>
  fetch(address, {
    headers: { accept: "application/json", ...freshness.header() },
    signal: AbortSignal.any([signal, AbortSignal.timeout(FETCH_LIMIT_MS)]),
  });

let shared: QueryClient | undefined;

/** The browser's one client: loaders and components share what it holds. */
export function browserQueryClient(): QueryClient {
  shared ??= makeQueryClient(browserTransport, 3);
  return shared;
}
