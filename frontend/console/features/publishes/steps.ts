import type { Publish, ReachedStep } from "#console/lib/api/types.ts";

/** Each step by what ends it. */
export type PublishStepName = "captured" | "logged" | ReachedStep | "rendered";

/** How long a step took, in milliseconds. */
interface PublishStep {
  name: PublishStepName;
  milliseconds: number;
}

/** How long the steps of a publish took, and all of it. */
interface PublishSteps {
  /** In their order; what was not measured is part of the next one. */
  steps: PublishStep[];
  /** From the hint until the site showed it. */
  total: number | null;
}

type Times = Pick<Publish, "hintedAt" | "capturedAt" | "publishedAt" | "live">;

/**
 * The steps of what was told of at `hintedAt`, and whose place in the log was `reached` at these moments.
 * Read models and index take it side by side: what was ready first is told first. A time out of order
 * belongs to another publish, to a new stream say.
 */
export function stepsOf(
  { hintedAt, capturedAt, publishedAt, live }: Times,
  reached: Readonly<Partial<Record<ReachedStep, string>>>,
): PublishSteps {
  const total = live?.milliseconds ?? null;
  const steps: PublishStep[] = [];
  if (hintedAt === null) return { steps, total };
  let done = 0;
  const took = (name: PublishStepName, until: number) => {
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
    took("rendered", total);
  }
  return { steps, total };
}

/** Where each step begins and how long it is, in hundredths of them all; nothing where all took no time. */
export function shares(
  steps: readonly PublishStep[],
): { name: PublishStepName; from: number; width: number }[] {
  const sum = steps.reduce((before, { milliseconds }) => before + milliseconds, 0);
  if (sum === 0) return [];
  let from = 0;
  return steps.map(({ name, milliseconds }) => {
    const share = { name, from, width: (milliseconds / sum) * 100 };
    from += share.width;
    return share;
  });
}
