import { keepPreviousData, type UseQueryOptions } from "@tanstack/react-query";
import { isIdle } from "#console/lib/idle.ts";
import type {
  AuditPage,
  DeadLetter,
  Deliveries,
  EmptySearch,
  Jobs,
  Merged,
  NotFoundPath,
  Overview,
  Parked,
  ParkedComparison,
  ParkedItem,
  ProjectionsState,
  Publish,
  Publishes,
  Reached,
  Session,
  SiteState,
  SlowCall,
  SlowRender,
  SyncState,
} from "./types.ts";

/** A query whose key is its path. The client's default query function requests it. */
type PathQuery<Body> = UseQueryOptions<Body, Error, Body, [path: string]>;

/** The polling interval of the roles' states, in milliseconds. */
const STATE_INTERVAL_MS = 2_000;
/** The polling interval of lists, in milliseconds. */
const LIST_INTERVAL_MS = 10_000;
/** The polling interval of the session. It keeps the session open on pages that request nothing else. */
const SESSION_INTERVAL_MS = 60_000;

/** The maximum length of each list: the limit of the service. */
export const LIST_LIMITS = {
  publishes: 50,
  parked: 1_000,
  deadLetters: 1_000,
  slow: 50,
  emptySearches: 200,
  notFound: 500,
  jobs: 500,
  audit: 100,
} as const;

/** The maximum number of items in one action. */
export const MAX_AT_ONCE = 100;

function pathQuery<Body>(path: string, every: number | false = LIST_INTERVAL_MS): PathQuery<Body> {
  return { queryKey: [path], refetchInterval: () => (isIdle() ? false : every) };
}

export const SESSION = "/api/session";

export const sessionQuery: PathQuery<Session> = {
  ...pathQuery<Session>(SESSION, SESSION_INTERVAL_MS),
  staleTime: SESSION_INTERVAL_MS,
};

/** The event stream delivers the overview; it is requested only while the stream is lost. */
export const overviewQuery: PathQuery<Overview> = {
  queryKey: ["/api/overview"],
  staleTime: Number.POSITIVE_INFINITY,
  refetchOnWindowFocus: false,
};

export const syncState = pathQuery<SyncState>("/api/sync/state", STATE_INTERVAL_MS);
export const projectionsState = pathQuery<ProjectionsState>(
  "/api/projections/state",
  STATE_INTERVAL_MS,
);
export const siteState = pathQuery<SiteState>("/api/site/state", STATE_INTERVAL_MS);

/** The newest publishes, or those before the one given, which are not polled. */
export function publishesQuery(before: string | null): PathQuery<Publishes> {
  const path = `/api/sync/publishes?limit=${LIST_LIMITS.publishes}`;
  return {
    ...pathQuery<Publishes>(
      before === null ? path : `${path}&before=${encodeURIComponent(before)}`,
      before === null ? STATE_INTERVAL_MS : false,
    ),
    placeholderData: keepPreviousData,
  };
}

/** Requests when the read models had these publishes. */
export const appliedQuery = (publishes: readonly Publish[]) =>
  reachedQuery<Reached[]>("/api/projections/applied", publishes);
/** Requests when the search index of every query node had these publishes. */
export const indexedQuery = (publishes: readonly Publish[]) =>
  reachedQuery<Merged<Reached>>("/api/query/indexed", publishes);
/** Requests when every site had purged its pages of these publishes. */
export const purgedQuery = (publishes: readonly Publish[]) =>
  reachedQuery<Merged<Reached>>("/api/site/purged", publishes);

function reachedQuery<Body>(path: string, publishes: readonly Publish[]): PathQuery<Body> {
  const sequences = publishes.flatMap(({ sequence }) => sequence ?? []);
  return {
    ...pathQuery<Body>(`${path}?sequences=${sequences.join(",")}`),
    enabled: sequences.length > 0,
    placeholderData: keepPreviousData,
  };
}

export const parkedQuery = pathQuery<Parked>("/api/sync/parked");

/** Every difference of one parked item. Not polled, since it costs a request to the content service. */
export function comparisonQuery({
  collection,
  key,
}: Pick<ParkedItem, "collection" | "key">): PathQuery<ParkedComparison> {
  const which = `collection=${encodeURIComponent(collection)}&key=${encodeURIComponent(key)}`;
  return { ...pathQuery<ParkedComparison>(`/api/sync/parked/item?${which}`, false), gcTime: 0 };
}

export const deadLettersQuery = pathQuery<DeadLetter[]>("/api/projections/dead-letters");
export const slowCallsQuery = pathQuery<Merged<SlowCall>>("/api/query/slow");
export const emptySearchesQuery = pathQuery<Merged<EmptySearch>>("/api/query/empty-searches");
export const slowRendersQuery = pathQuery<Merged<SlowRender>>("/api/site/slow-renders");
export const notFoundQuery = pathQuery<Merged<NotFoundPath>>("/api/site/not-found");
export const jobsQuery = pathQuery<Jobs>("/api/command/jobs");
export const deliveriesQuery = pathQuery<Deliveries>("/api/command/deliveries");

export function auditQuery(before: string | null): PathQuery<AuditPage> {
  return {
    ...pathQuery<AuditPage>(
      before === null ? "/api/audit" : `/api/audit?before=${encodeURIComponent(before)}`,
      before === null ? LIST_INTERVAL_MS : false,
    ),
    placeholderData: keepPreviousData,
  };
}
