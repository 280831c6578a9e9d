import type { ProjectionsState } from "#console/lib/api/types.ts";

/** How much of a filling is done, between 0 and 1; nothing while there is nothing to do. */
export function shareOf({
  done,
  left,
}: Pick<ProjectionsState["rebuild"], "done" | "left">): number | undefined {
  const all = done + left;
  return all === 0 ? undefined : done / all;
}

/** How often the cache had what was asked for, between 0 and 1. */
export function ratioOf(hits: number | undefined, misses: number | undefined): number | undefined {
  if (hits === undefined || misses === undefined || hits + misses === 0) return undefined;
  return hits / (hits + misses);
}
