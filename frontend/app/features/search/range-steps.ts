import { parseBound } from "#app/lib/search/parse-bound.ts";

/** A histogram: the lower edge of each bucket, and its number of homes. The last bucket has no upper edge. */
export interface Spread {
  readonly from: readonly number[];
  readonly counts: readonly number[];
}

/** The minimum share of all homes in a bar. */
const MIN_SHARE = 0.02;

/**
 * Merges thin buckets into those below them, so that a slider spends its length where most homes are, and
 * not on a few expensive ones at its end.
 */
export function mergeThinBuckets({ from, counts }: Spread): Spread {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return { from, counts };
  const minCount = total * MIN_SHARE;
  const joined: { from: number; count: number }[] = [];
  let count = 0;
  for (let index = from.length - 1; index >= 0; index--) {
    count += counts[index] ?? 0;
    if (count < minCount) continue;
    joined.unshift({ from: from[index] ?? 0, count });
    count = 0;
  }
  const [first] = joined;
  if (first) {
    first.from = from[0] ?? 0;
    first.count += count;
  }
  return { from: joined.map((bar) => bar.from), counts: joined.map((bar) => bar.count) };
}

/**
 * Returns the step of the thumb of the lower bound: the bucket that contains the bound. A thumb can be
 * dragged to the lower edges of the histogram's buckets (`edges`).
 */
export function minThumbStep(edges: readonly number[], written: string): number {
  const bound = parseBound(written);
  return Math.max(
    0,
    edges.findLastIndex((edge) => edge <= bound),
  );
}

/** Returns the step of the thumb of the upper bound: the end of the bucket that contains the bound. */
export function maxThumbStep(edges: readonly number[], written: string): number {
  const bound = parseBound(written);
  const step = edges.findIndex((edge) => edge >= bound);
  return step === -1 ? edges.length : Math.max(1, step);
}
