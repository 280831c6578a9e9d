import type { FormAnswer } from "#app/lib/account/account.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { signInMessages } from "./messages.ts";

/** That a form could not be taken, for no fault of a field. */
export function useFailure(answer: FormAnswer | undefined): string | undefined {
  const t = useMessages(signInMessages);
  if (answer?.failure === "too-many") return t.tooMany;
  return answer?.failure === "away" ? t.away : undefined;
}
