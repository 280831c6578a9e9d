import type { FormAnswer } from "#app/lib/account/account.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { signInMessages } from "./messages.ts";

/** Returns the message for a form that failed for a reason other than a field's value. */
export function useFailure(answer: FormAnswer | undefined): string | undefined {
  const t = useMessages(signInMessages);
  if (answer?.failure === "too-many") return t.tooMany;
  return answer?.failure === "away" ? t.away : undefined;
}
