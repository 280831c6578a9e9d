import type { FormAnswer } from "#app/lib/account/account.ts";
import { LENGTHS } from "#app/lib/account/lengths.gen.ts";
import { withNext } from "#app/lib/account/next-path.ts";
import { titleWithOutcome } from "#app/lib/account/title-with-outcome.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Seo } from "#app/lib/seo/seo.tsx";
import { useSite } from "#app/lib/site/site-query.ts";
import { Link } from "#app/ui/link.tsx";
import { PostForm, SubmitButton, useFieldErrors } from "#app/ui/post-form.tsx";
import { TextField } from "#app/ui/text-field.tsx";
import { signInMessages, useFailure } from "./messages.ts";

interface PasswordFormProps {
  /** The path to open after signing in; empty for the default. */
  next: string;
  answer: FormAnswer | undefined;
}

/** The sign-in form for visitors who set a password; all others sign in by email. */
export function PasswordForm({ next, answer }: PasswordFormProps) {
  const t = useMessages(signInMessages);
  const { settings } = useSite();
  const failure = useFailure(answer);
  const { errors, field } = useFieldErrors(answer, { password: t.wrongPassword });
  return (
    <>
      <Seo
        title={titleWithOutcome(failure, t.passwordTitle)}
        description={t.passwordLead}
        suffix={settings.titleSuffix}
        path="/login/password"
        indexed={false}
      />
      <h1 className="text-heading">{t.passwordTitle}</h1>
      <p className="mt-3 text-muted">{t.passwordLead}</p>
      <PostForm answer={answer} errors={errors} failure={failure} className="mt-7 grid gap-4">
        <TextField
          name="email"
          type="email"
          autoComplete="username"
          label={t.email}
          required
          maxLength={LENGTHS.email.max}
          defaultValue={answer?.values?.email}
        />
        <TextField {...field("password")} type="password" label={t.password} required />
        <input type="hidden" name="next" value={answer?.values?.next ?? next} />
        <SubmitButton>{t.signIn}</SubmitButton>
      </PostForm>
      <p className="mt-7 border-t border-line pt-5 text-sm text-muted">
        {t.noPassword}{" "}
        <Link to={withNext("/login", next)} className="text-link">
          {t.byEmail}
        </Link>
        .
      </p>
    </>
  );
}
