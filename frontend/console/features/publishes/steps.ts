import type { Publish, ReachedStep } from "#console/lib/api/types.ts";

/** Each step by what ends it. */
export type StepName = "captured" | "logged" | ReachedStep | "shown";

/** How long a step took, in milliseconds. */
export interface Step {
  name: StepName;
  milliseconds: number;
}

/** How long the steps of a publish took, and all of it. */
export interface Steps {
  /** In their order; what was not measured is part of the next one. */
  steps: Step[];
  /** From the hint until the site showed it. */
  total: number | null;
}

type Times = Pick<Publish, "hintedAt" | "capturedAt" | "publishedAt" | "live">;

/**
 * The steps of what was told of at `hintedAt`, and whose place in the log was `reached` at these moments. Read
 * models and index take it side by side: what was ready first is told first. A time that is not between those around it is of another time that it was published, to a new stream say.
 */
export function stepsOf(
  { hintedAt, capturedAt, publishedAt, live }: Times,
  reached: Readonly<Partial<Record<ReachedStep, string>>>,
): Steps {
  const total = live?.milliseconds ?? null;
  const steps: Step[] = [];
  if (hintedAt === null) return { steps, total };
  let done = 0;
  const took = (name: StepName, until: number) => {
    if (Number.isNaN(until) || until < done || (total !== null && until > total)) return;
    steps.push({ name, milliseconds: until - done });
    done = until;
  };
  const sinceHint = (moment: string | null | undefined) =>
    moment ? Date.parse(moment) - Date.parse(hintedAt) : Number.NaN;
  took("captured", sinceHint(capturedAt));
  took("logged", sinceHint(publishedAt));
  // Nothing else tells whether that was this publish.
  if (total !== null) {
    const ready = (["applied", "indexed"] as const).map((name) => ({
      name,
      until: sinceHint(reached[name]),
    }));
    const known = ready.filter(({ until }) => !Number.isNaN(until));
    for (const { name, until } of known.sort((a, b) => a.until - b.until)) took(name, until);
    took("purged", sinceHint(reached.purged));
    took("shown", total);
  }
  return { steps, total };
}

/** Where each step begins and how long it is, in hundredths of them all; nothing where all took no time. */
export function shares(steps: readonly Step[]): { name: StepName; from: number; width: number }[] {
  const whole = steps.reduce((sum, { milliseconds }) => sum + milliseconds, 0);
  if (whole === 0) return [];
  let from = 0;
  return steps.map(({ name, milliseconds }) => {
    const share = { name, from, width: (milliseconds / whole) * 100 };
    from += share.width;
    return share;
  });
}
