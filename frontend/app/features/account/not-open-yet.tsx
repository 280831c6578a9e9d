import type { ReactNode } from "react";
import { telephoneHref, whatsappHref } from "#app/lib/format/format.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Seo } from "#app/lib/seo/seo.tsx";
import { useSite } from "#app/lib/site/site-query.ts";
import { buttonStyle } from "#app/ui/button.tsx";
import { EmailText } from "#app/ui/email-text.tsx";
import { Icon, type IconName } from "#app/ui/icon.tsx";
import { Link } from "#app/ui/link.tsx";
import { accountMessages } from "./messages.ts";

/** What stands at the door of the client area until it opens: what it will hold, and who helps now. */
export function NotOpenYet({ signup }: { signup: boolean }) {
  const { settings } = useSite();
  const t = useMessages(accountMessages);
  const title = signup ? t.signupTitle : t.loginTitle;
  const lead = signup ? t.signupLead : t.loginLead;
  const kept = [
    ["key", t.buyers],
    ["tag", t.sellers],
    ["building", t.owners],
  ] as const;
  return (
    <>
      <Seo
        title={title}
        description={lead}
        suffix={settings.titleSuffix}
        path={signup ? "/signup" : "/login"}
        indexed={false}
      />
      <p className="inline-flex rounded-full bg-sun-wash px-3 py-1.5 text-sm font-semibold">
        {t.soon}
      </p>
      <h1 className="mt-4 text-heading">{title}</h1>
      <p className="mt-3 text-muted">{lead}</p>
      <h2 className="mt-7 text-lg">{t.holds}</h2>
      <ul className="mt-3 grid gap-3">
        {kept.map(([icon, text]) => (
          <li key={icon} className="flex gap-3">
            <Icon name={icon} className="mt-0.5 size-5 text-muted" />
            {text}
          </li>
        ))}
      </ul>
      <h2 className="mt-7 text-lg">{t.reach}</h2>
      <ul className="mt-3 grid gap-1">
        {settings.phones.map((phone) => (
          <Way key={phone} icon="phone" href={telephoneHref(phone)}>
            {phone}
          </Way>
        ))}
        {settings.whatsapp ? (
          <Way icon="whatsapp" href={whatsappHref(settings.whatsapp)}>
            {t.whatsapp}
          </Way>
        ) : null}
        {settings.emails.map((email) => (
          <Way key={email} icon="mail" href={`mailto:${email}`}>
            <EmailText address={email} />
          </Way>
        ))}
      </ul>
      <div className="mt-7 flex flex-wrap gap-3">
        <Link to="/contact-us" className={buttonStyle.primary}>
          {t.write}
        </Link>
        <Link to="/property-for-sale" className={buttonStyle.outline}>
          {t.homes}
        </Link>
      </div>
      <p className="mt-7 border-t border-line pt-5 text-sm">
        <Link to={signup ? "/login" : "/signup"} className="text-link inline-block py-1">
          {signup ? t.toLogin : t.toSignup}
        </Link>
      </p>
    </>
  );
}

interface WayProps {
  icon: IconName;
  href: string;
  children: ReactNode;
}

function Way({ icon, href, children }: WayProps) {
  return (
    <li>
      <a href={href} className="inline-flex min-h-9 items-center gap-3">
        <Icon name={icon} className="size-5 text-muted" />
        <span className="text-link min-w-0 wrap-anywhere">{children}</span>
      </a>
    </li>
  );
}
