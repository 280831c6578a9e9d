import type { Queue } from "#console/lib/api/types.ts";

/** The parts of the console, in their order: each has a name in the messages and a path of its own. */
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

/** The queues in which things wait for somebody, by the part that shows them. */
const FOR_SOMEBODY: Partial<Record<PartName, readonly string[]>> = {
  parked: ["parked", "dead letters"],
  deliveries: ["failed jobs"],
};

/** How many things of each part wait for somebody. */
export function marksOf(queues: readonly Queue[]): Partial<Record<PartName, number>> {
  const depth = (name: string) => queues.find((queue) => queue.name === name)?.depth ?? 0;
  return Object.fromEntries(
    Object.entries(FOR_SOMEBODY).map(([part, names]) => [
      part,
      names.reduce((sum, name) => sum + depth(name), 0),
    ]),
  );
}
