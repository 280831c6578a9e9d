import type { FormAnswer } from "#app/lib/account/account.ts";
import { withNext } from "#app/lib/account/next-path.ts";
import { titleWithOutcome } from "#app/lib/account/title-with-outcome.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Seo } from "#app/lib/seo/seo.tsx";
import { useSite } from "#app/lib/site/site-query.ts";
import { Link } from "#app/ui/link.tsx";
import { PostForm, SubmitButton, useFieldErrors } from "#app/ui/post-form.tsx";
import { TextField } from "#app/ui/text-field.tsx";
import { signInMessages, useFailure } from "./messages.ts";
import { SignInExpired } from "./sign-in-expired.tsx";

interface CodeFormProps {
  /** The path to open after signing in; empty for the default. */
  next: string;
  answer: FormAnswer | undefined;
}

/** Asks for the email's six-digit code, in the browser that requested the email. */
export function CodeForm({ next, answer }: CodeFormProps) {
  const t = useMessages(signInMessages);
  const { settings } = useSite();
  const failure = useFailure(answer);
  const { errors, field } = useFieldErrors(answer, { code: t.wrongCode });
  if (answer?.failure === "over") return <SignInExpired path="/login/code" next={next} />;
  return (
    <>
      <Seo
        title={titleWithOutcome(failure, t.codeTitle)}
        description={t.codeLead}
        suffix={settings.titleSuffix}
        path="/login/code"
        indexed={false}
      />
      <h1 className="text-heading">{t.codeTitle}</h1>
      <p className="mt-3 text-muted">{t.codeLead}</p>
      <PostForm answer={answer} errors={errors} failure={failure} className="mt-7 grid gap-4">
        <TextField
          {...field("code")}
          label={t.code}
          required
          autoComplete="one-time-code"
          inputMode="numeric"
          maxLength={9}
          defaultValue={answer?.values?.code}
        />
        <SubmitButton>{t.signIn}</SubmitButton>
      </PostForm>
      <p className="mt-7 border-t border-line pt-5 text-sm text-muted">
        {t.noMail}{" "}
        <Link to={withNext("/login", next)} className="text-link">
          {t.again}
        </Link>
        . {t.limit}
      </p>
    </>
  );
}
