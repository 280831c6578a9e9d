import type { ProjectionsState } from "#console/lib/api/types.ts";

/** Returns how much of a rebuild is done, from 0 to 1; undefined while there is nothing to do. */
export function shareOf({
  done,
  left,
}: Pick<ProjectionsState["rebuild"], "done" | "left">): number | undefined {
  const all = done + left;
  return all === 0 ? undefined : done / all;
}

/** Returns the cache's hit ratio, from 0 to 1; undefined before the first lookup. */
export function ratioOf(hits: number, misses: number): number | undefined {
  return hits + misses === 0 ? undefined : hits / (hits + misses);
}
