import type { FormAnswer } from "#app/lib/account/account.ts";
import { titleWithOutcome } from "#app/lib/account/title-with-outcome.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Seo } from "#app/lib/seo/seo.tsx";
import { useSite } from "#app/lib/site/site-query.ts";
import { PostForm, SubmitButton } from "#app/ui/post-form.tsx";
import { signInMessages, useFailure } from "./messages.ts";
import { SignInExpired } from "./sign-in-expired.tsx";
import { SignedInAlready } from "./signed-in-already.tsx";

interface LinkFormProps {
  /** The token from the emailed link. */
  token: string;
  /** The email address that is signed in, if any; the link may have been sent to another one. */
  present: string | null;
  answer: FormAnswer | undefined;
}

/** The target of the emailed link: one click signs in. */
export function LinkForm({ token, present, answer }: LinkFormProps) {
  const t = useMessages(signInMessages);
  const { settings } = useSite();
  const failure = useFailure(answer);
  if (answer?.failure === "over") {
    return present ? <SignedInAlready email={present} /> : <SignInExpired path="/login/link" />;
  }
  const isOther = answer?.failure === "other-browser";
  const title = isOther ? t.otherTitle : t.linkTitle;
  const lead = isOther ? t.otherLead : t.linkLead;
  return (
    <>
      <Seo
        title={titleWithOutcome(failure, title)}
        description={lead}
        suffix={settings.titleSuffix}
        path="/login/link"
        indexed={false}
      />
      <h1 className="text-heading">{title}</h1>
      <p className="mt-3 text-muted">{lead}</p>
      {isOther ? null : (
        <PostForm failure={failure} className="mt-7 grid gap-4">
          {present ? <p>{t.present(present)}</p> : null}
          <input type="hidden" name="token" value={token} />
          <SubmitButton>{t.signIn}</SubmitButton>
        </PostForm>
      )}
    </>
  );
}
