import type { Tone } from "#console/ui/state.tsx";

/** What became of an action: how it ended, and with which words. */
interface Outcome {
  tone: Tone;
  /** `begun`, `done`, `refused` or `failed`, as far as this build knows. */
  end: string;
  /** The status that was answered with: `(200)`; empty where there was none. */
  status: string;
  /** Why it was not done, in the service's own English. */
  why: string;
}

/** An outcome as the trail has it: `refused (409) one is running`. */
export function readOutcome(outcome: string): Outcome {
  const [, end = outcome, status = "", why = ""] =
    /^(\w+)(?: (\(\d+\)))?\s*(.*)$/s.exec(outcome) ?? [];
  const tone = end === "begun" ? "resting" : end === "done" ? "well" : "wrong";
  return { tone, end, status, why };
}
