import { useMessages } from "#app/lib/i18n/messages.ts";
import { ConfirmAction } from "#console/ui/confirm-action.tsx";
import { storeMessages } from "./messages.ts";

type Words = Record<"label" | "title" | "what", string>;

interface StepSwitchProps {
  /** The role's calls are `<path>/pause` and `<path>/resume`. */
  path: string;
  /** Which of the role's steps, if it has several. */
  what?: "capture" | "relay";
  paused: boolean;
  pause: Words;
  resume: Words;
  changes: readonly string[];
}

/** Pauses or resumes a step. */
export function StepSwitch({ path, what, paused, pause, resume, changes }: StepSwitchProps) {
  const t = useMessages(storeMessages);
  const words = paused ? resume : pause;
  return (
    <ConfirmAction
      {...words}
      look={paused ? "primary" : "outline"}
      path={`${path}/${paused ? "resume" : "pause"}`}
      body={what ? { what } : {}}
      changes={changes}
      done={() => (paused ? t.resumedNow : t.pausedNow)}
    />
  );
}
