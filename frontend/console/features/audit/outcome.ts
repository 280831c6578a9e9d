import type { Tone } from "#console/ui/state.tsx";

/** What became of an action: how it ended, and with which words. */
interface Outcome {
  tone: Tone;
  /** `begun`, `done (200)`, `refused (409)`, `failed (503)`. */
  end: string;
  /** Why it was not done, in the service's own English. */
  why: string;
}

/** An outcome as the trail has it: `refused (409) one is running`. */
export function readOutcome(outcome: string): Outcome {
  const [, end = outcome, word = "", why = ""] =
    /^((\w+)(?: \(\d+\))?)\s*(.*)$/s.exec(outcome) ?? [];
  return { tone: word === "begun" ? "resting" : word === "done" ? "well" : "wrong", end, why };
}
