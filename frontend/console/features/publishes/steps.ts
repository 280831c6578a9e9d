import type { Publish } from "#console/lib/api/types.ts";

/** How long the steps of a publish took, in milliseconds; nothing where it was not measured. */
export interface Steps {
  /** From the hint until the version was recorded. */
  toCapture: number | null;
  /** From there until the site showed it. */
  toLive: number | null;
  total: number | null;
}

/** The whole is measured from the hint by one clock; what is left after the capture, which is another's. */
export function stepsOf({
  hintedAt,
  capturedAt,
  live,
}: Pick<Publish, "hintedAt" | "capturedAt" | "live">): Steps {
  const told = hintedAt === null ? Number.NaN : Date.parse(hintedAt);
  const between = Date.parse(capturedAt) - told;
  const toCapture = Number.isNaN(between) ? null : Math.max(0, between);
  const total = live?.milliseconds ?? null;
  const toLive = total === null ? null : Math.max(0, total - (toCapture ?? 0));
  return { toCapture, toLive, total };
}

/** The part of the whole that each step took, in hundredths; nothing where there is nothing to compare. */
export function shares({ toCapture, toLive }: Steps): [number, number] | null {
  if (toCapture === null || toLive === null) return null;
  const sum = toCapture + toLive;
  if (sum === 0) return null;
  const first = Math.round((toCapture / sum) * 100);
  return [first, 100 - first];
}
