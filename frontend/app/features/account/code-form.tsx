import { useId } from "react";
import type { FormAnswer } from "#app/lib/account/account.ts";
import { withNext } from "#app/lib/account/next-path.ts";
import { titleWithOutcome } from "#app/lib/account/title-with-outcome.ts";
import { useSingleSubmit } from "#app/lib/browser/use-single-submit.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Seo } from "#app/lib/seo/seo.tsx";
import { useSite } from "#app/lib/site/site-query.ts";
import { AlertNotice } from "#app/ui/alert-notice.tsx";
import { Button } from "#app/ui/button.tsx";
import { ErrorSummary } from "#app/ui/error-summary.tsx";
import { Link } from "#app/ui/link.tsx";
import { TextField } from "#app/ui/text-field.tsx";
import { useFailure } from "./failure.ts";
import { signInMessages } from "./messages.ts";
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
  const { isSending, onSubmit } = useSingleSubmit();
  const id = useId();
  const codeError = answer?.fields?.includes("code") ? t.wrongCode : undefined;
  const errors = codeError ? [{ field: id, message: codeError }] : [];
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
      <form method="post" noValidate onSubmit={onSubmit} className="mt-7 grid gap-4">
        <ErrorSummary errors={errors} of={answer} />
        <AlertNotice>{failure}</AlertNotice>
        <TextField
          id={id}
          name="code"
          label={t.code}
          required
          autoComplete="one-time-code"
          inputMode="numeric"
          maxLength={9}
          error={codeError}
          defaultValue={answer?.values?.code}
        />
        <Button type="submit" busy={isSending}>
          {t.signIn}
        </Button>
      </form>
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
