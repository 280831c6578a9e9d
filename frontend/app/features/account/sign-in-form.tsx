import type { FormAnswer } from "#app/lib/account/account.ts";
import { LENGTHS } from "#app/lib/account/lengths.gen.ts";
import { onwardPath, withNext } from "#app/lib/account/next-path.ts";
import type { Outcome } from "#app/lib/account/outcome.ts";
import { signInByPasskey } from "#app/lib/account/passkeys.ts";
import { titleWithOutcome } from "#app/lib/account/title-with-outcome.ts";
import { AfterHydration } from "#app/lib/browser/after-hydration.tsx";
import { useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { lazy } from "#app/lib/release/lazy.ts";
import { Seo } from "#app/lib/seo/seo.tsx";
import { useSite } from "#app/lib/site/site-query.ts";
import { Checkbox } from "#app/ui/checkbox.tsx";
import { Link } from "#app/ui/link.tsx";
import { PostForm, SubmitButton, useFieldErrors } from "#app/ui/post-form.tsx";
import { TextField } from "#app/ui/text-field.tsx";
import { signInMessages, useFailure } from "./messages.ts";

/** Lazy: only a script can tell whether the browser supports passkeys. */
const PasskeyButton = lazy(() => import("./passkey-button.tsx"));

interface SignInFormProps {
  /** Whether the form opens an account rather than signs in. */
  isNew: boolean;
  /** The path to open after signing in; empty for the default. */
  next: string;
  /** What the visitor just did with the account that was signed in. */
  done: Extract<Outcome, "deleted" | "signed-out"> | undefined;
  answer: FormAnswer | undefined;
}

/** Asks for the email address to send a link and a code to. */
export function SignInForm({ isNew, next, done, answer }: SignInFormProps) {
  const locale = useLocale();
  const t = useMessages(signInMessages);
  const { settings } = useSite();
  const failure = useFailure(answer);
  const { errors, field } = useFieldErrors(answer, { name: t.longName, email: t.invalidEmail });
  const values = answer?.values ?? {};
  const title = isNew ? t.signupTitle : t.loginTitle;
  const lead = isNew ? t.signupLead : t.loginLead;
  return (
    <>
      <Seo
        title={titleWithOutcome(done ? t[done] : failure, title)}
        description={lead}
        suffix={settings.titleSuffix}
        path={isNew ? "/signup" : "/login"}
        indexed={false}
      />
      {done ? (
        <p role="status" className="notice mb-6">
          {t[done]}
        </p>
      ) : null}
      <h1 className="text-heading">{title}</h1>
      <p className="mt-3 text-muted">{lead}</p>
      <PostForm answer={answer} errors={errors} failure={failure} className="mt-7 grid gap-4">
        {isNew ? (
          <TextField
            {...field("name")}
            label={t.name}
            autoComplete="name"
            maxLength={LENGTHS.name.max}
            defaultValue={values.name}
          />
        ) : null}
        <TextField
          {...field("email")}
          type="email"
          label={t.email}
          hint={t.emailHint}
          required
          maxLength={LENGTHS.email.max}
          defaultValue={values.email}
        />
        {isNew ? (
          <Checkbox
            name="marketingConsent"
            value="yes"
            label={t.marketing}
            defaultChecked={values.marketingConsent === "yes"}
            className="text-sm"
          />
        ) : null}
        <input type="hidden" name="next" value={values.next ?? next} />
        <p className="text-sm text-muted">
          {t.privacy(settings.companyName)}{" "}
          {/* A full document load: on going back, the browser restores what was typed. */}
          <Link to="/privacy" reloadDocument className="text-link">
            {t.privacyLink}
          </Link>
        </p>
        <SubmitButton>{t.send}</SubmitButton>
      </PostForm>
      {isNew ? null : (
        <>
          <Link to={withNext("/login/password", next)} className="text-link mt-5 inline-block py-1">
            {t.byPassword}
          </Link>
          <div className="mt-3 min-h-11">
            <AfterHydration>
              <PasskeyButton
                label={t.passkey}
                press={signInByPasskey}
                next={onwardPath(locale, next || "/account")}
                words={{ failed: t.passkeyFailed, away: t.away }}
              />
            </AfterHydration>
          </div>
        </>
      )}
      <p className="mt-7 border-t border-line pt-5 text-sm">
        <Link
          to={withNext(isNew ? "/login" : "/signup", next)}
          className="text-link inline-block py-1"
        >
          {isNew ? t.toLogin : t.toSignup}
        </Link>
      </p>
    </>
  );
}
