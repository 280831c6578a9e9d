/**
 * The step of the thumb that says `at least`: the bucket that the bound lies in. A thumb can be pulled
 * to where the buckets of a histogram begin, their `edges`.
 */
export function stepOfLeast(edges: readonly number[], written: string): number {
  const bound = numberOf(written);
  if (bound === undefined) return 0;
  return Math.max(
    0,
    edges.findLastIndex((edge) => edge <= bound),
  );
}

/** The step of the thumb that says `at most`: the end of the bucket that the bound lies in. */
export function stepOfMost(edges: readonly number[], written: string): number {
  const bound = numberOf(written);
  const step = bound === undefined ? -1 : edges.findIndex((edge) => edge >= bound);
  return step === -1 ? edges.length : Math.max(1, step);
}

function numberOf(written: string): number | undefined {
  const digits = written.replace(/\D/g, "");
  return digits === "" ? undefined : Number(digits);
}
