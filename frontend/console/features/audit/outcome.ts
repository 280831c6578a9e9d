import type { Tone } from "#console/ui/state.tsx";

/** The outcome of an action, split into its parts. */
interface Outcome {
  tone: Tone;
  /** `begun`, `done`, `refused` or `failed`; a newer service may write another word. */
  end: string;
  /** The HTTP status of the answer, as `(200)`; empty if there was none. */
  status: string;
  /** Why the action was not done, in the service's own English. */
  why: string;
}

/** Parses an outcome as the audit trail has it: `refused (409) one is running`. */
export function readOutcome(outcome: string): Outcome {
  const [, end = outcome, status = "", why = ""] =
    /^(\w+)(?: (\(\d+\)))?\s*(.*)$/s.exec(outcome) ?? [];
  const tone = end === "begun" ? "resting" : end === "done" ? "well" : "wrong";
  return { tone, end, status, why };
}
