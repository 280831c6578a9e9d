import { keepPreviousData, type UseQueryOptions } from "@tanstack/react-query";
import { isIdle } from "#console/lib/idle.ts";
import type {
  AuditLine,
  DeadLetter,
  Deliveries,
  EmptySearch,
  Jobs,
  Listed,
  NotFoundPath,
  Overview,
  Parked,
  ParkedComparison,
  ParkedItem,
  ProjectionsState,
  Publish,
  Reached,
  ReachedStep,
  Session,
  SiteState,
  SlowCall,
  SlowRender,
  SyncState,
} from "./types.ts";

/** A question whose address is its key: the client's own function asks it. */
type Question<Body> = UseQueryOptions<Body, Error, Body, [path: string]>;

/** How often what is running is asked for, in milliseconds. */
const OFTEN_MS = 2_000;
/** How often a list is. */
const LIST_MS = 10_000;
/** How often who is signed in: it keeps the session open, where a page asks for nothing else. */
const SESSION_MS = 60_000;

/** The most that a list of each kind holds: what the service gives at once. */
export const MOST = {
  publishes: 50,
  parked: 1_000,
  deadLetters: 1_000,
  slow: 50,
  emptySearches: 200,
  notFound: 500,
  jobs: 500,
  audit: 100,
} as const;

/** As many can be acted on together. */
export const MAX_AT_ONCE = 100;

function ask<Body>(path: string, every: number | false = LIST_MS): Question<Body> {
  return { queryKey: [path], refetchInterval: () => (isIdle() ? false : every) };
}

export const SESSION = "/api/session";

export const sessionQuery: Question<Session> = {
  ...ask<Session>(SESSION, SESSION_MS),
  staleTime: SESSION_MS,
};

/** The event stream brings it; it is asked for where that does not come. */
export const overviewQuery: Question<Overview> = {
  queryKey: ["/api/overview"],
  staleTime: Number.POSITIVE_INFINITY,
  refetchOnWindowFocus: false,
};

export const syncState = ask<SyncState>("/api/sync/state", OFTEN_MS);
export const projectionsState = ask<ProjectionsState>("/api/projections/state", OFTEN_MS);
export const siteState = ask<SiteState>("/api/site/state", OFTEN_MS);

/** The newest, or those before one that is no longer watched for news. */
export function publishesQuery(before: string | null): Question<Listed<Publish>> {
  const path = `/api/sync/publishes?limit=${MOST.publishes}`;
  return {
    ...ask<Listed<Publish>>(
      before === null ? path : `${path}&before=${encodeURIComponent(before)}`,
      before === null ? OFTEN_MS : false,
    ),
    placeholderData: keepPreviousData,
  };
}

/** Who knows when each step was done. */
const REACHED_AT: Record<ReachedStep, string> = {
  applied: "/api/projections/applied",
  indexed: "/api/query/indexed",
  purged: "/api/site/purged",
};

/** When `step` was done with these publishes. */
export function reachedQuery(
  step: ReachedStep,
  publishes: readonly Publish[],
): Question<Reached[]> {
  const sequences = publishes.flatMap(({ sequence }) => sequence ?? []);
  return {
    ...ask<Reached[]>(`${REACHED_AT[step]}?sequences=${sequences.join(",")}`),
    enabled: sequences.length > 0,
    placeholderData: keepPreviousData,
  };
}

export const parkedQuery = ask<Parked>("/api/sync/parked");

/** All that differs of one of them. The content service is asked for it: it is not watched for news. */
export function comparisonQuery({
  collection,
  key,
}: Pick<ParkedItem, "collection" | "key">): Question<ParkedComparison> {
  const which = `collection=${encodeURIComponent(collection)}&key=${encodeURIComponent(key)}`;
  return { ...ask<ParkedComparison>(`/api/sync/parked/item?${which}`, false), gcTime: 0 };
}

export const deadLettersQuery = ask<DeadLetter[]>("/api/projections/dead-letters");
export const slowCallsQuery = ask<SlowCall[]>("/api/query/slow");
export const emptySearchesQuery = ask<EmptySearch[]>("/api/query/empty-searches");
export const slowRendersQuery = ask<SlowRender[]>("/api/site/slow-renders");
export const notFoundQuery = ask<NotFoundPath[]>("/api/site/not-found");
export const jobsQuery = ask<Jobs>("/api/command/jobs");
export const deliveriesQuery = ask<Deliveries>("/api/command/deliveries");

export function auditQuery(before: string | null): Question<Listed<AuditLine>> {
  return {
    ...ask<Listed<AuditLine>>(
      before === null ? "/api/audit" : `/api/audit?before=${encodeURIComponent(before)}`,
      before === null ? LIST_MS : false,
    ),
    placeholderData: keepPreviousData,
  };
}
