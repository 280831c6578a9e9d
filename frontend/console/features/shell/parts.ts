import type { Queue } from "#console/lib/api/types.ts";

/** The parts of the console in order, each with its message key and its path. */
export const PARTS = [
  ["flow", "/"],
  ["publishes", "/publishes"],
  ["parked", "/parked"],
  ["stores", "/stores"],
  ["visitors", "/visitors"],
  ["deliveries", "/deliveries"],
  ["audit", "/audit"],
] as const;

type PartName = (typeof PARTS)[number][0];

/** The queues whose items need an operator, by the part that shows them. */
const QUEUES_OF_PART: Partial<Record<PartName, readonly string[]>> = {
  parked: ["parked", "dead letters"],
  deliveries: ["failed jobs"],
};

/** Returns the number of items that need an operator, for each part. */
export function countsByPart(queues: readonly Queue[]): Partial<Record<PartName, number>> {
  const depth = (name: string) => queues.find((queue) => queue.name === name)?.depth ?? 0;
  return Object.fromEntries(
    Object.entries(QUEUES_OF_PART).map(([part, names]) => [
      part,
      names.reduce((sum, name) => sum + depth(name), 0),
    ]),
  );
}
