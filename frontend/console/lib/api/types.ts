/*
 * What the console's service answers: its own calls, and those of the roles that it passes on as they
 * are. Times are RFC 3339.
 */

/** Who is signed in. */
export interface Session {
  operator: { name: string; mayAct: boolean };
  /** When the session ends at the latest; none where a proxy says who asks. */
  expiresAt: string | null;
  /** Whether a proxy in front says who it is: then there is nothing to sign out of. */
  viaProxy: boolean;
  /** Whether redirects can be made here; older builds don't tell. */
  redirects?: boolean;
}

export type StepState = "well" | "slow" | "stopped" | "paused" | "unknown";

/** A step from an editor's press to a visitor's page; they come in their order. */
export interface FlowStep {
  step: "hint" | "capture" | "publish" | "project" | "index" | "purge" | "render";
  ratePerMinute: number;
  /** What waits before it. */
  lag: number | null;
  /** For how long the oldest of that has been waiting; of the purge, since it heard of anything last. */
  ageSeconds: number | null;
  state: StepState;
  why: string | null;
}

export interface RoleState {
  role: string;
  instance: string;
  reachable: boolean;
  ready: boolean;
  /** What it needs and lacks, with why. */
  failing: Record<string, string>;
  /** What it tells of itself. */
  details: Record<string, unknown>;
}

interface Breaker {
  name: string;
  open: boolean;
  reason: string | null;
}

export interface Queue {
  name: string;
  depth: number;
  oldestSeconds: number | null;
}

interface CacheUse {
  name: string;
  /** Bytes. */
  used: number;
  limit: number | null;
  /** Between 0 and 1. */
  hitRatio: number | null;
}

/** The search index of one query node. */
export interface Replica {
  instance: string;
  documents: number;
  segments: number;
  bytes: number;
  sequence: number;
  readModels: number | null;
  listeners: number | null;
}

/** What passed since the moment before. */
export interface Passed {
  at: string;
  published: number;
  rendered: number;
}

export interface Overview {
  roles: RoleState[];
  flow: FlowStep[];
  breakers: Breaker[];
  queues: Queue[];
  caches: CacheUse[];
  indexes: Replica[];
  /** A trace's address, with `{traceId}` where its id goes. */
  traceUrl: string | null;
  history: Passed[];
}

export interface SyncState {
  ledger: string | null;
  epoch: number | null;
  leads: boolean;
  stream: { messages: number; bytes: number; lastSequence: number } | null;
  outbox: { fresh: number; refill: number };
  inbox: { unresolved: number; oldestSeconds: number | null };
  dirty: { count: number; oldestSeconds: number | null };
  breaker: { open: boolean; reason: string | null };
  paused: { capture: boolean; relay: boolean };
  reconcile: {
    running: boolean;
    startedAt: string | null;
    endedAt: string | null;
    seen: number;
    differing: number;
    missing: number;
    error: string | null;
  };
  troubles: { collection: string; task: string; since: string; reason: string }[];
}

export interface Publish {
  id: number;
  collection: string;
  key: string;
  version: number;
  change: "upserted" | "removed";
  title: string | null;
  hintedAt: string | null;
  capturedAt: string;
  /** When the log first took it. */
  publishedAt: string | null;
  sequence: number | null;
  refused: string | null;
  traceId: string | null;
  /** Whether the site comes to show a newer version instead; older builds don't tell. */
  overtaken?: boolean;
  live: {
    since: string | null;
    /** From the hint until the site showed it. */
    milliseconds: number | null;
    addresses: string[];
  } | null;
}

/** What takes the log's messages on: the read models, the search index, and the purge of pages. */
export type ReachedStep = "applied" | "indexed" | "purged";

/** When one of them was done with what stands at a position of the log. */
export interface Reached {
  sequence: number;
  at: string;
}

/** A list that goes on with what is before `next`. */
export interface Listed<Item> {
  items: Item[];
  next: number | null;
}

interface Violation {
  /** Where it stands; empty where it is all of the item. */
  field: string;
  value: string;
  rule: string;
}

export interface ParkedItem {
  collection: string;
  key: string;
  violations: Violation[];
  firstAt: string;
  tries: number;
  nextTry: string | null;
  /** What stands in the fields that break a rule, and what stood there when it was last good: as JSON, shortened. */
  differences: { field: string; parked: string; lastGood: string | null }[];
  traceId: string | null;
}

/** A parked item as it is now, beside its last good version. */
export interface ParkedComparison {
  /** Those that break a rule first. Values are JSON, shortened around what differs; null is nothing. */
  fields: { field: string; now: string | null; lastGood: string | null; broken: boolean }[];
  /** How many more differ. */
  more: number;
  /** Whether all of it could be compared, and not only the fields that break a rule. */
  whole: boolean;
  /** Whether it is about a person: then its values are kept back. */
  personal: boolean;
}

export interface UnresolvedHint {
  id: number;
  collection: string;
  keys: string[];
  failure: string;
  receivedAt: string;
  tries: number;
  nextTry: string;
}

export interface Parked {
  items: ParkedItem[];
  hints: UnresolvedHint[];
  leftOut: { collection: string; key: string; pictures: Violation[]; since: string }[];
  refused: { collection: string; key: string; version: number; reason: string; since: string }[];
}

export interface DeadLetter {
  subject: string;
  sequence: number;
  version: number | null;
  error: string;
  tries: number;
  at: string;
  traceId: string | null;
  /** What it would change: as JSON, shortened. */
  differences: { field: string; message: string; shown: string | null }[] | null;
}

export interface Generation {
  number: number;
  modelVersion: number;
  sequence: number;
  live: boolean;
  updatedAt: string;
  deadLetters: number;
  canSwapBack: boolean;
}

export interface ProjectionsState {
  generations: Generation[];
  lag: number | null;
  paused: boolean;
  rebuild: {
    running: boolean;
    kind: "rebuild" | "swap-back" | null;
    done: number;
    left: number;
    secondsLeft: number | null;
    startedAt: string | null;
    endedAt: string | null;
    error: string | null;
  };
}

export interface SlowCall {
  call: string;
  query: string;
  milliseconds: number;
  at: string;
  traceId: string | null;
}

export interface EmptySearch {
  query: string;
  locale: string;
  count: number;
  lastAt: string;
}

/** What is not at hand is left out. */
export interface SiteState {
  cache?: {
    pages?: number;
    /** Those of them that are not out of date. */
    current?: number;
    bytes?: number;
    limitBytes?: number;
    hits?: number;
    misses?: number;
    stale?: number;
  };
  purge?: { sequence?: number | null; last?: string | null };
  renders?: { running?: number; waiting?: number };
  pictures?: { running?: number; waiting?: number; cachedBytes?: number; limitBytes?: number };
  feed?: { connected?: boolean };
}

export interface SlowRender {
  path: string;
  milliseconds: number;
  at: string;
  traceId: string | null;
}

export interface NotFoundPath {
  path: string;
  count: number;
  lastAt: string;
  referrer: string | null;
}

export interface Job {
  id: string;
  kind: string;
  /** `due`, `failed`, or what else keeps it. */
  state: string;
  tries: number;
  nextTry: string | null;
  createdAt: string | null;
  /** What kind of failure it was last; no words of a server, which may name somebody. */
  failure: string | null;
}

export interface Jobs {
  waiting: number;
  failed: number;
  items: Job[];
}

export interface Deliveries {
  enquiries: { lastDay: number; lastHour: number };
  jobs: { kind: string; done: number; waiting: number; failed: number }[];
  /** Those that are not on the stream `VISITOR` yet. */
  events: { waiting: number; oldestSeconds: number | null };
  /** How far the log was matched with the saved searches. */
  alerts: { savedSearches: number; sequence: number; isFilled: boolean };
}

export interface AuditLine {
  id: number;
  at: string;
  operator: string;
  action: string;
  target: string;
  /** `begun`, or what became of it: `done (200)`, `refused (409) …`, `failed (503) …`. */
  outcome: string;
  address: string | null;
  /** The line that says that it was begun; none for that line itself. */
  begun: number | null;
}
