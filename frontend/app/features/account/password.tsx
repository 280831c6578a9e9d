import type { FormAnswer } from "#app/lib/account/account.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Button } from "#app/ui/button.tsx";
import { useFieldErrors } from "#app/ui/post-form.tsx";
import { TextField } from "#app/ui/text-field.tsx";
import { accountAreaMessages } from "./area-messages.ts";
import { DetailsForm, DetailsPart } from "./details-part.tsx";

interface PasswordProps {
  email: string;
  has: boolean;
  answer: FormAnswer | undefined;
  /** The result of the last change to the password. */
  notice: string | undefined;
}

/** Sets, changes or removes the account's optional password. */
export function Password({ email, has, answer, notice }: PasswordProps) {
  const t = useMessages(accountAreaMessages);
  const { errors, field } = useFieldErrors(answer, { password: t.weakPassword });
  return (
    <DetailsPart id="password" title={t.password} notice={notice}>
      <p className="mt-2 text-muted">{has ? t.passwordThere : t.passwordLead}</p>
      <DetailsForm account={email} answer={answer} errors={errors}>
        {/* Password managers store the password under this user name; they ignore fields of type "hidden". */}
        <input type="email" hidden autoComplete="username" value={email} readOnly />
        <TextField
          {...field("password")}
          type="password"
          autoComplete="new-password"
          label={has ? t.otherPassword : t.newPassword}
          hint={t.passwordHint}
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
