import { withNext } from "#app/lib/account/next-path.ts";
import { useHydrated } from "#app/lib/browser/use-hydrated.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Seo } from "#app/lib/seo/seo.tsx";
import { useSite } from "#app/lib/site/site-query.ts";
import { AlertNotice } from "#app/ui/alert-notice.tsx";
import { buttonStyle } from "#app/ui/button.tsx";
import { Link } from "#app/ui/link.tsx";
import { signInMessages } from "./messages.ts";

interface SignInExpiredProps {
  path: string;
  /** The path to open after signing in with a new link or code; empty for the default. */
  next?: string;
}

/** Reports that a link or code can no longer be used, and offers to request another. */
export function SignInExpired({ path, next = "" }: SignInExpiredProps) {
  const t = useMessages(signInMessages);
  const { settings } = useSite();
  // Without cookies the server can't recognise the browser that requested the email.
  const refusesCookies = useHydrated() && !navigator.cookieEnabled;
  return (
    <>
      <Seo
        title={t.overTitle}
        description={t.overLead}
        suffix={settings.titleSuffix}
        path={path}
        indexed={false}
      />
      <h1 className="text-heading">{t.overTitle}</h1>
      <p className="mt-3 text-muted">{t.overLead}</p>
      <AlertNotice className="mt-4">{refusesCookies ? t.noCookies : null}</AlertNotice>
      <Link to={withNext("/login", next)} className={`${buttonStyle.primary} mt-7`}>
        {t.again}
      </Link>
    </>
  );
}
