/*
 * The answers of the console's service: to its own calls, and to calls that it forwards to the roles.
 * `schema.gen.ts` is made from the service's code. Fields that older builds of a role don't send are
 * optional.
 */

import type * as schema from "./schema.gen.ts";

export type {
  AuditLine,
  AuditPage,
  DeadLetter,
  Deliveries,
  Dropped,
  EmptySearch,
  FlowStep,
  Generation,
  Job,
  Jobs,
  ListedItem as ParkedItem,
  NotFoundPath,
  Overview,
  ParkedComparison,
  ParkedList as Parked,
  Passed,
  ProjectionsState,
  Publish,
  Publishes,
  Purged,
  Queue,
  Replayed,
  Replica,
  Retried,
  RoleState,
  Session,
  SiteState,
  SlowCall,
  SlowRender,
  StepState,
  SyncState,
  UnresolvedHint,
} from "./schema.gen.ts";

/** The consumers of the log: the read models (`applied`), the search index and the purge of pages. */
export type ReachedStep = "applied" | "indexed" | "purged";

/** When a consumer had processed a position of the log. Positions that it has not reached are left out. */
export type Reached = {
  [Field in keyof schema.Reached]-?: NonNullable<schema.Reached[Field]>;
};

/** The lists of the processes of a role, merged into one. */
export interface Merged<Entry> {
  entries: Entry[];
  /** The processes whose lists are not in it, each with the reason. */
  missing: string[];
}
