import type { FlowStep, Overview, RoleState, StepState } from "#console/lib/api/types.ts";
import type { Tone } from "#console/ui/state.tsx";

/** What matters most first. */
const BY_WEIGHT: readonly StepState[] = ["stopped", "slow", "unknown", "paused"];

export const TONE_OF: Record<StepState, Tone> = {
  well: "well",
  slow: "warning",
  stopped: "wrong",
  paused: "resting",
  unknown: "unknown",
};

/** What an operator has to know of the flow in one sentence: the steps that are not well, the worst first. */
export function unwell(flow: readonly FlowStep[]): FlowStep[] {
  return flow
    .filter(({ state }) => state !== "well")
    .sort((a, b) => BY_WEIGHT.indexOf(a.state) - BY_WEIGHT.indexOf(b.state));
}

/** Those that can't do their work, and those that nobody hears of. */
export function notReady(roles: readonly RoleState[]): RoleState[] {
  return roles.filter(({ ready, reachable }) => !ready || !reachable);
}

/** How everything is, at a glance. */
export function overallTone({ flow, roles }: Pick<Overview, "flow" | "roles">): Tone {
  const [worst] = unwell(flow);
  if (worst?.state === "stopped") return "wrong";
  if (notReady(roles).length > 0) return "wrong";
  return worst ? TONE_OF[worst.state] : flow.length === 0 ? "unknown" : "well";
}
