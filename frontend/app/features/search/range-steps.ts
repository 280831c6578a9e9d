import { writtenBound } from "#app/lib/search/written-bound.ts";

/** How figures are spread: where each bucket begins, and how many homes it has. The last is open. */
export interface Spread {
  readonly from: readonly number[];
  readonly counts: readonly number[];
}

/** The share of all homes that a bar has at the least. */
const MIN_SHARE = 0.02;

/**
 * The same spread with thin buckets joined to those below them, so that a slider has its length where
 * homes are, and not for a few dear ones at its end.
 */
export function gatheredSpread({ from, counts }: Spread): Spread {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return { from, counts };
  const least = total * MIN_SHARE;
  const joined: { from: number; count: number }[] = [];
  let gathering = 0;
  for (let index = from.length - 1; index >= 0; index--) {
    gathering += counts[index] ?? 0;
    if (gathering < least) continue;
    joined.unshift({ from: from[index] ?? 0, count: gathering });
    gathering = 0;
  }
  const [first] = joined;
  if (first) {
    first.from = from[0] ?? 0;
    first.count += gathering;
  }
  return { from: joined.map((bar) => bar.from), counts: joined.map((bar) => bar.count) };
}

/**
 * The step of the thumb that says `at least`: the bucket that the bound lies in. A thumb can be pulled
 * to where the buckets of a histogram begin, their `edges`.
 */
export function stepOfLeast(edges: readonly number[], written: string): number {
  const bound = writtenBound(written);
  return Math.max(
    0,
    edges.findLastIndex((edge) => edge <= bound),
  );
}

/** The step of the thumb that says `at most`: the end of the bucket that the bound lies in. */
export function stepOfMost(edges: readonly number[], written: string): number {
  const bound = writtenBound(written);
  const step = edges.findIndex((edge) => edge >= bound);
  return step === -1 ? edges.length : Math.max(1, step);
}
