import { type UseQueryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { apiAddress } from "#app/lib/api/address.ts";
import { type Answer, ApiError, fetchAnswer, type Transport } from "#app/lib/api/answer.ts";
import type { ApiBody, ApiParameters, ApiPath, PropertyCardList } from "#app/lib/api/types.ts";

/** A query of the API. Its address is its key; the client's default query function fetches it. */
export type ApiQuery<Body> = UseQueryOptions<Answer<Body>, Error, Answer<Body>, [address: string]>;

/**
 * Makes a query from a call and its parameters. `keep` reduces the answer to what pages show, if that is
 * less: the document contains it a second time, to seed the browser's cache.
 */
export function apiQuery<Path extends ApiPath, Body = ApiBody<Path>>(
  path: Path,
  parameters: ApiParameters<Path> = {},
  keep?: (body: ApiBody<Path>) => Body,
): ApiQuery<Body> {
  return {
    queryKey: [apiAddress(path, parameters.path, parameters.query)],
    ...(keep && { meta: { keep } }),
  };
}

interface QueryOptions {
  readonly queryKey: readonly unknown[];
  readonly meta?: Record<string, unknown> | undefined;
}

/** Sends a query, and reduces its answer with `keep`. */
export async function send<Body>(
  transport: Transport,
  { queryKey, meta }: QueryOptions,
  signal: AbortSignal,
): Promise<Answer<Body>> {
  const answer = await fetchAnswer<Body>(transport, String(queryKey[0]), signal);
  const keep = meta?.keep as ((body: Body) => Body) | undefined;
  return keep ? { ...answer, body: keep(answer.body) } : answer;
}

/** Queries homes as cards, with the facets of the search. */
export function cardsQuery(
  query: ApiParameters<"/api/properties">["query"],
): ApiQuery<PropertyCardList> {
  return apiQuery<"/api/properties", PropertyCardList>("/api/properties", {
    query: { ...query, fields: "card" },
  });
}

/** Returns whether an error means that the resource does not exist, or no longer. */
export function isGone(error: unknown): error is ApiError {
  return error instanceof ApiError && (error.status === 404 || error.status === 410);
}

interface CachedQuery<Body> {
  data?: Answer<Body> | undefined;
  error?: Error | null;
}

/** Returns the cached state of a query. In the browser it subscribes to changes; on the server it only reads. */
export const useQueryState: <Body>(query: ApiQuery<Body>) => CachedQuery<Body> = import.meta.env.SSR
  ? ({ queryKey }) => useQueryClient().getQueryState(queryKey) ?? {}
  : (query) => useQuery(query);

/**
 * Returns the answer to a query that the route's loader has fetched, and subscribes to changes. If a refetch
 * finds that the resource is gone, the error page takes over, unless `keepIfGone` is set; after any other
 * failure the page keeps the last answer.
 */
export function useAnswer<Body>(query: ApiQuery<Body>, keepIfGone = false): Body {
  const { data, error } = useQueryState(query);
  if (isGone(error) && !keepIfGone) throw error;
  if (data === undefined) throw error ?? new Error(`no loader asked ${query.queryKey[0]}`);
  return data.body;
}

/**
 * Returns the answer to an optional query, if there is one: the route's loader fetched it with
 * `readIfWritten`, or the page has fetched it since.
 */
export function useOptionalAnswer<Body>(query: ApiQuery<Body>): Body | undefined {
  return useQueryState(query).data?.body;
}
