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

/** Leads who asks for `from` somewhere. */
export function MakeRedirect({ from, opened: [open, setOpen] }: MakeRedirectProps) {
  const t = useMessages(visitorMessages);
  const [wrong, setWrong] = useState(false);
  const change = (next: boolean) => {
    // Asked again, it has an empty field, in which nothing is wrong yet.
    setWrong(false);
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
        const right = isRedirect(redirectOf(from, answers));
        setWrong(!right);
        return right;
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
        error={wrong ? t.toWrong : undefined}
      />
    </ConfirmAction>
  );
}
