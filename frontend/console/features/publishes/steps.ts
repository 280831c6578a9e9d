import type { Publish, ReachedStep } from "#console/lib/api/types.ts";

/** The steps, each named by the event that ends it. */
export type PublishStepName = "captured" | "logged" | ReachedStep | "rendered";

/** A step and its duration in milliseconds. */
interface PublishStep {
  name: PublishStepName;
  milliseconds: number;
}

/** The durations of the steps of a publish, and in total. */
interface PublishSteps {
  /** In order. The time of a step that was not measured is part of the next one. */
  steps: PublishStep[];
  /** Milliseconds from the hint until the site showed it. */
  total: number | null;
}

type Times = Pick<Publish, "hintedAt" | "capturedAt" | "publishedAt" | "live">;

/**
 * Returns the steps of a publish that was hinted at `hintedAt`, and whose position in the log each step
 * `reached` at the given times. Read models and index work in parallel: the one that was ready first comes
 * first. A time out of order belongs to another publish, for example in a new stream.
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
  // Only a known total shows that the times belong to this publish.
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

/** Returns the start and width of each step in per cent of the total; empty if the total is zero. */
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
