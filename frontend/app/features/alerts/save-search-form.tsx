import type { FormAnswer } from "#app/lib/account/account.ts";
import { LENGTHS } from "#app/lib/account/lengths.gen.ts";
import { FREQUENCIES } from "#app/lib/account/saved-searches.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useSite } from "#app/lib/site/site-query.ts";
import { Link } from "#app/ui/link.tsx";
import { PostForm, SubmitButton, useFieldErrors } from "#app/ui/post-form.tsx";
import { RadioGroup } from "#app/ui/radio-group.tsx";
import { TextField } from "#app/ui/text-field.tsx";
import { alertMessages } from "./messages.ts";

interface SaveSearchFormProps {
  /** The query part of the search's address, by which it is saved. */
  address: string;
  /** The description of the search. */
  words: string;
  signedIn: boolean;
  /** The path of the sign-in page, which returns to this form. */
  signInPath: string;
  /** The values that were typed before signing in. */
  typed: Readonly<Record<"name" | "frequency", string | null>>;
  answer: FormAnswer | undefined;
}

/** Returns the message that a search could not be saved, unless a field is the reason. */
export function useSaveFailure(answer: FormAnswer | undefined): string | undefined {
  const t = useMessages(alertMessages);
  if (answer?.failure === "too-many") return t.tooMany;
  if (answer?.failure === "full") return t.full;
  return answer?.failure && t.away;
}

/** Saves a search: for an account, or for an email address whose owner has to confirm it first. */
export function SaveSearchForm({
  address,
  words,
  signedIn,
  signInPath,
  typed,
  answer,
}: SaveSearchFormProps) {
  const t = useMessages(alertMessages);
  const { settings } = useSite();
  const { errors, field } = useFieldErrors(answer, { name: t.wrongName, email: t.wrongEmail });
  const values = answer?.values ?? {};
  const failure = useSaveFailure(answer);
  const offered = FREQUENCIES.filter((frequency) => signedIn || frequency !== "never");
  const chosen = values.frequency ?? typed.frequency;
  return (
    <PostForm answer={answer} errors={errors} failure={failure} className="mt-7 grid gap-5">
      <input type="hidden" name="address" value={address} />
      <p>
        <span className="block text-sm text-muted">{t.searched}</span>
        <strong>{words}</strong>
      </p>
      {signedIn ? null : (
        <TextField
          {...field("email")}
          type="email"
          label={t.email}
          hint={t.emailHint}
          required
          autoComplete="email"
          maxLength={LENGTHS.email.max}
          defaultValue={values.email}
        />
      )}
      <RadioGroup
        name="frequency"
        label={t.frequency}
        defaultValue={offered.find((frequency) => frequency === chosen) ?? "daily"}
        options={offered.map((value) => ({ value, label: t.every(value) }))}
      />
      {signedIn ? (
        <TextField
          {...field("name")}
          label={t.name}
          required
          maxLength={LENGTHS.searchName.max}
          defaultValue={values.name ?? typed.name ?? words.slice(0, LENGTHS.searchName.max)}
        />
      ) : (
        // The email address is not confirmed yet: emails to it must not contain a text that was typed here.
        <input type="hidden" name="name" value={words.slice(0, LENGTHS.searchName.max)} />
      )}
      <p className="text-sm text-muted">
        {t.privacy(settings.companyName, signedIn)}{" "}
        {/* As a new document: then the browser restores the typed values on the way back. */}
        <Link to="/privacy" reloadDocument className="text-link">
          {t.privacyLink}
        </Link>
      </p>
      <p>
        <SubmitButton>{t.save}</SubmitButton>
      </p>
      {signedIn ? null : (
        <p className="border-t border-line pt-5 text-sm">
          <Link to={signInPath} className="text-link inline-block py-1">
            {t.signIn}
          </Link>
        </p>
      )}
    </PostForm>
  );
}
