import { useState } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { TextField } from "#app/ui/text-field.tsx";
import { notFoundQuery } from "#console/lib/api/queries.ts";
import { ConfirmAction, type ConfirmActionProps } from "#console/ui/confirm-action.tsx";
import { visitorMessages } from "./messages.ts";
import { isRedirect, redirectOf } from "./redirect.ts";

interface MakeRedirectProps extends Required<Pick<ConfirmActionProps<unknown>, "opened">> {
  from: string;
}

/** A dialog that makes a redirect from the path `from`. */
export function MakeRedirect({ from, opened: [open, setOpen] }: MakeRedirectProps) {
  const t = useMessages(visitorMessages);
  const [isInvalid, setInvalid] = useState(false);
  const change = (next: boolean) => {
    // A reopened dialog has an empty field without an error.
    setInvalid(false);
    setOpen(next);
  };
  return (
    <ConfirmAction
      label={t.make}
      opened={[open, change]}
      title={t.makeTitle}
      what={t.makeWhat}
      ids={[from]}
      path="/api/redirects"
      check={(answers) => {
        const isValid = isRedirect(redirectOf(from, answers));
        setInvalid(!isValid);
        return isValid;
      }}
      body={(answers: FormData) => redirectOf(from, answers)}
      changes={notFoundQuery.queryKey}
      done={() => t.made(from)}
    >
      <TextField
        name="to"
        label={t.to}
        hint={t.toHint}
        required
        maxLength={500}
        autoCapitalize="none"
        spellCheck={false}
        error={isInvalid ? t.toWrong : undefined}
      />
    </ConfirmAction>
  );
}
