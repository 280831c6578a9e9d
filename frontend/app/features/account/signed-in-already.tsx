import { useMessages } from "#app/lib/i18n/messages.ts";
import { Seo } from "#app/lib/seo/seo.tsx";
import { useSite } from "#app/lib/site/site-query.ts";
import { Button, buttonStyle } from "#app/ui/button.tsx";
import { Link } from "#app/ui/link.tsx";
import { DetailsForm } from "./details-part.tsx";
import { signInMessages } from "./messages.ts";

/**
 * Reports that a link can no longer be used, to a visitor who is signed in as `email`, which may not be the address
 * that the link was sent to.
 */
export function SignedInAlready({ email }: { email: string }) {
  const t = useMessages(signInMessages);
  const { settings } = useSite();
  return (
    <>
      <Seo
        title={t.alreadyTitle}
        description={t.alreadyLead(email)}
        suffix={settings.titleSuffix}
        path="/login/link"
        indexed={false}
      />
      <h1 className="text-heading">{t.alreadyTitle}</h1>
      <p className="mt-3 text-muted">{t.alreadyLead(email)}</p>
      <Link to="/account" className={`${buttonStyle.primary} mt-7 w-full`}>
        {t.toAccount}
      </Link>
      {/* Signs out first, because the sign-in page redirects signed-in visitors to their account. */}
      <DetailsForm account={email}>
        <Button type="submit" look="outline" name="intent" value="sign-out">
          {t.byOther}
        </Button>
      </DetailsForm>
    </>
  );
}
