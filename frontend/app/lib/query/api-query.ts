import { type UseQueryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { apiAddress } from "#app/lib/api/address.ts";
import { type Answer, ApiError, fetchAnswer, type Transport } from "#app/lib/api/answer.ts";
import type { ApiBody, ApiParameters, ApiPath, PropertyCardList } from "#app/lib/api/types.ts";

/** One question to the API. Its address is its key: the client's default function asks it. */
export type ApiQuery<Body> = UseQueryOptions<Answer<Body>, Error, Answer<Body>, [address: string]>;

/**
 * The question that a call and its parameters make. Of the answer `keep` takes what pages show, where
 * that is less: the document carries it once more, for the browser to start from.
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

interface Question {
  readonly queryKey: readonly unknown[];
  readonly meta?: Record<string, unknown> | undefined;
}

/** Sends a question, and keeps of the answer what it is asked for. */
export async function send<Body>(
  transport: Transport,
  { queryKey, meta }: Question,
  signal: AbortSignal,
): Promise<Answer<Body>> {
  const answer = await fetchAnswer<Body>(transport, String(queryKey[0]), signal);
  const keep = meta?.keep as ((body: Body) => Body) | undefined;
  return keep ? { ...answer, body: keep(answer.body) } : answer;
}

/** Homes as cards show them, with the facets of the search that finds them. */
export function cardsQuery(
  query: ApiParameters<"/api/properties">["query"],
): ApiQuery<PropertyCardList> {
  return apiQuery<"/api/properties", PropertyCardList>("/api/properties", {
    query: { ...query, fields: "card" },
  });
}

/** Whether what was asked for does not exist, or no longer. */
export function isGone(error: unknown): error is ApiError {
  return error instanceof ApiError && (error.status === 404 || error.status === 410);
}

interface Known<Body> {
  data?: Answer<Body> | undefined;
  error?: Error | null;
}

/** What the page's client holds, followed where it can change: not while a document is made. */
export const useKnown: <Body>(query: ApiQuery<Body>) => Known<Body> = import.meta.env.SSR
  ? ({ queryKey }) => useQueryClient().getQueryState(queryKey) ?? {}
  : (query) => useQuery(query);

/**
 * The answer to a question that the route's loader has asked. It follows changes: when the answer
 * is read again and what it showed is gone, the error page takes over, unless the page `holds` what is
 * known; any other failure keeps it.
 */
export function useAnswer<Body>(query: ApiQuery<Body>, holds = false): Body {
  const { data, error } = useKnown(query);
  if (isGone(error) && !holds) throw error;
  if (data === undefined) throw error ?? new Error(`no loader asked ${query.queryKey[0]}`);
  return data.body;
}

/**
 * The answer to a question where there is one: the route's loader asked it with `readIfWritten`, or the
 * page came to it since.
 */
export function useIfWritten<Body>(query: ApiQuery<Body>): Body | undefined {
  return useKnown(query).data?.body;
}
