import type { FormAnswer } from "#app/lib/account/account.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { signInMessages } from "./messages.ts";

/** That a form could not be taken, for no fault of a field. */
export function Failure({ answer }: { answer: FormAnswer | undefined }) {
  const t = useMessages(signInMessages);
  if (answer?.failure !== "too-many" && answer?.failure !== "away") return null;
  return (
    <p role="alert" className="rounded-xl bg-sun-wash px-4 py-3">
      {answer.failure === "too-many" ? t.tooMany : t.away}
    </p>
  );
}
