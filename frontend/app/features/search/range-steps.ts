interface Bucket {
  from: number;
  to?: number | null;
}

/** Where the buckets of a histogram begin: what a thumb can be pulled to. */
export function edgesOf(buckets: readonly Bucket[]): number[] {
  return buckets.map(({ from }) => from);
}

/** The step of the thumb that says `at least`: the bucket that the bound lies in. */
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
