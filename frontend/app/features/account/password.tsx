import { useId } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Button } from "#app/ui/button.tsx";
import { TextField } from "#app/ui/text-field.tsx";
import { accountAreaMessages } from "./area-messages.ts";
import { DetailsForm, DetailsPart } from "./details-part.tsx";

interface PasswordProps {
  email: string;
  has: boolean;
  /** Why the submitted password was rejected. */
  error: string | undefined;
  /** The result of the last change to the password. */
  notice: string | undefined;
}

/** Sets, changes or removes the account's optional password. */
export function Password({ email, has, error, notice }: PasswordProps) {
  const t = useMessages(accountAreaMessages);
  const id = useId();
  return (
    <DetailsPart id="password" title={t.password} notice={notice}>
      <p className="mt-2 text-muted">{has ? t.passwordThere : t.passwordLead}</p>
      <DetailsForm account={email} field={id} error={error}>
        {/* Password managers store the password under this user name; they ignore fields of type "hidden". */}
        <input type="email" hidden autoComplete="username" value={email} readOnly />
        <TextField
          id={id}
          name="password"
          type="password"
          autoComplete="new-password"
          label={has ? t.otherPassword : t.newPassword}
          hint={t.passwordHint}
          error={error}
        />
        <p className="flex flex-wrap gap-3">
          <Button type="submit" look="outline" name="intent" value="set-password">
            {t.setPassword}
          </Button>
          {has ? (
            <Button type="submit" look="quiet" name="intent" value="remove-password">
              {t.removePassword}
            </Button>
          ) : null}
        </p>
      </DetailsForm>
    </DetailsPart>
  );
}
