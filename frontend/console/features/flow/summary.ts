import type { FlowStep, Overview, RoleState, StepState } from "#console/lib/api/types.ts";
import type { Tone } from "#console/ui/state.tsx";

/** The states that are not well, the most severe first. */
const BY_WEIGHT: readonly StepState[] = ["stopped", "slow", "unknown", "paused"];

export const TONE_OF: Record<StepState, Tone> = {
  well: "well",
  slow: "warning",
  stopped: "wrong",
  paused: "resting",
  unknown: "unknown",
};

/** Returns the steps that are not well, the worst first. */
export function unhealthySteps(flow: readonly FlowStep[]): FlowStep[] {
  return flow
    .filter(({ state }) => state !== "well")
    .sort((a, b) => BY_WEIGHT.indexOf(a.state) - BY_WEIGHT.indexOf(b.state));
}

/** Returns the roles that are not ready, and those that can't be reached. */
export function notReady(roles: readonly RoleState[]): RoleState[] {
  return roles.filter(({ ready, reachable }) => !ready || !reachable);
}

/** Returns the tone of the worst part of the flow. */
export function overallTone({ flow, roles }: Pick<Overview, "flow" | "roles">): Tone {
  const [worst] = unhealthySteps(flow);
  if (worst?.state === "stopped") return "wrong";
  if (notReady(roles).length > 0) return "wrong";
  return worst ? TONE_OF[worst.state] : flow.length === 0 ? "unknown" : "well";
}
