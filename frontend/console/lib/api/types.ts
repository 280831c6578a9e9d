/*
 * The answers of the console's service: to its own calls, and to calls that it forwards unchanged to the
 * roles. Times are RFC 3339.
 */

/** The signed-in operator's session. */
export interface Session {
  operator: { name: string; mayAct: boolean };
  /** When the session ends at the latest; null if a proxy names the operator. */
  expiresAt: string | null;
  /** Whether a proxy in front names the operator: then there is no signing out. */
  viaProxy: boolean;
  /** Whether redirects can be made here; absent in older builds. */
  redirects?: boolean;
}

export type StepState = "well" | "slow" | "stopped" | "paused" | "unknown";

/** A step between an editor's save and a visitor's page. The steps are listed in order. */
export interface FlowStep {
  step: "hint" | "capture" | "publish" | "project" | "index" | "purge" | "render";
  ratePerMinute: number;
  /** The number of items that wait before it. */
  lag: number | null;
  /** How long the oldest of them has waited; for the purge, the time since its last event. */
  ageSeconds: number | null;
  state: StepState;
  why: string | null;
}

export interface RoleState {
  role: string;
  instance: string;
  reachable: boolean;
  ready: boolean;
  /** Failing checks by name, with the reason. */
  failing: Record<string, string>;
  /** What the role reports about itself. */
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

/** The counts since the previous sample. */
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
  /** The address of a trace, with the placeholder `{traceId}`. */
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
  /** When the log first accepted it. */
  publishedAt: string | null;
  sequence: number | null;
  refused: string | null;
  traceId: string | null;
  /** Whether a newer version replaces it on the site before it is shown; absent in older builds. */
  overtaken?: boolean;
  live: {
    since: string | null;
    /** Milliseconds from the hint until the site showed it. */
    milliseconds: number | null;
    addresses: string[];
  } | null;
}

/** The consumers of the log: the read models (`applied`), the search index and the purge of pages. */
export type ReachedStep = "applied" | "indexed" | "purged";

/** When a consumer had processed a position of the log. */
export interface Reached {
  sequence: number;
  at: string;
}

/** The lists of the processes of a role, merged into one. */
export interface Merged<Entry> {
  entries: Entry[];
  /** The processes whose lists are not in it, each with the reason. */
  missing: string[];
}

/** A page of a list. The next page has what comes before `next`. */
export interface Listed<Item> {
  items: Item[];
  next: number | null;
}

interface Violation {
  /** The field's path; empty for the whole item. */
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
  /** The fields that break a rule, with their values now and in the last good version, as shortened JSON. */
  differences: { field: string; parked: string; lastGood: string | null }[];
  traceId: string | null;
}

/** A parked item's current version compared with its last good one. */
export interface ParkedComparison {
  /** Fields that break a rule come first. Values are JSON, shortened around the difference; null is absent. */
  fields: { field: string; now: string | null; lastGood: string | null; broken: boolean }[];
  /** How many more fields differ. */
  more: number;
  /** Whether the whole item was compared, and not only the fields that break a rule. */
  whole: boolean;
  /** Whether it is about a person: then its values are withheld. */
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
  /** What the message would change, as shortened JSON. */
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

/** Figures that are not available are absent. */
export interface SiteState {
  cache?: {
    pages?: number;
    /** The number of pages that are up to date. */
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
  /** Such as `due`, `failed`, `refused` or `bounced`. */
  state: string;
  tries: number;
  nextTry: string | null;
  createdAt: string | null;
  /** The kind of the last failure; never a server's own words, which may contain personal data. */
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
  /** Events that are not on the stream `VISITOR` yet. */
  events: { waiting: number; oldestSeconds: number | null };
  /** Up to which position the log was matched with the saved searches. */
  alerts: { savedSearches: number; sequence: number; isFilled: boolean };
}

export interface AuditLine {
  id: number;
  at: string;
  operator: string;
  action: string;
  target: string;
  /** `begun`, or the result: `done (200)`, `refused (409) …`, `failed (503) …`. */
  outcome: string;
  address: string | null;
  /** The id of the line that recorded the start; null for that line itself. */
  begun: number | null;
}
