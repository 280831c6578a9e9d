import type { ReactNode } from "react";
import { telephoneHref, whatsappHref } from "#app/lib/format/format.ts";
import { useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { openingLines } from "#app/lib/site/opening-hours.ts";
import { useSite } from "#app/lib/site/site-query.ts";
import { EmailText } from "#app/ui/email-text.tsx";
import { Icon, type IconName } from "#app/ui/icon.tsx";
import { contactMessages } from "./messages.ts";

/** The ways to reach the office directly: messenger, phone, email, address and opening hours. */
export function ContactWays() {
  const { settings } = useSite();
  const locale = useLocale();
  const t = useMessages(contactMessages);
  return (
    <section aria-label={t.ways}>
      <ul className="divide-y divide-line border-y border-line">
        {settings.whatsapp ? (
          <ContactWay icon="whatsapp" title={t.whatsapp}>
            <ContactLink href={whatsappHref(settings.whatsapp)}>{settings.whatsapp}</ContactLink>
          </ContactWay>
        ) : null}
        {settings.phones.length > 0 ? (
          <ContactWay icon="phone" title={t.phone}>
            {settings.phones.map((phone) => (
              <ContactLink key={phone} href={telephoneHref(phone)}>
                {phone}
              </ContactLink>
            ))}
          </ContactWay>
        ) : null}
        {settings.emails.length > 0 ? (
          <ContactWay icon="mail" title={t.email}>
            {settings.emails.map((email) => (
              <ContactLink key={email} href={`mailto:${email}`}>
                <EmailText address={email} />
              </ContactLink>
            ))}
          </ContactWay>
        ) : null}
        <ContactWay icon="pin" title={t.office}>
          <Office />
        </ContactWay>
        {settings.openingHours.length > 0 ? (
          <ContactWay icon="clock" title={t.hours}>
            {openingLines(settings.openingHours, locale).map((line) => (
              <p key={line} className="py-1 text-lg">
                {line}
              </p>
            ))}
          </ContactWay>
        ) : null}
      </ul>
    </section>
  );
}

function ContactWay({
  icon,
  title,
  children,
}: {
  icon: IconName;
  title: string;
  children: ReactNode;
}) {
  return (
    <li className="flex gap-5 py-5">
      <span className="flex size-11 shrink-0 items-center justify-center rounded-full bg-sun text-on-sun">
        <Icon name={icon} />
      </span>
      <div className="min-w-0">
        <h2 className="text-xl">{title}</h2>
        <div className="mt-1 flex flex-col items-start">{children}</div>
      </div>
    </li>
  );
}

function ContactLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a href={href} className="text-link inline-block py-1 text-lg wrap-anywhere tabular-nums">
      {children}
    </a>
  );
}

/** The office's address. The map is only a link, so that no third party learns of visitors who don't follow it. */
function Office() {
  const { settings } = useSite();
  const t = useMessages(contactMessages);
  const { street, postalCode, town, province, coordinates } = settings;
  return (
    <>
      <address className="text-lg not-italic">
        {street}
        <br />
        {`${[postalCode, town].filter(Boolean).join(" ")}${province ? `, ${province}` : ""}`}
      </address>
      {coordinates ? (
        <>
          <a
            href={`https://www.openstreetmap.org/?mlat=${coordinates.lat}&mlon=${coordinates.lng}#map=17/${coordinates.lat}/${coordinates.lng}`}
            target="_blank"
            rel="noopener noreferrer"
            className="text-link mt-1 inline-block py-1"
          >
            {t.map}
            <span className="sr-only">{` (${t.newWindow})`}</span>
          </a>
          <p className="mt-1 text-sm text-muted">
            {t.coordinates}:{" "}
            <a
              href={`geo:${coordinates.lat},${coordinates.lng}`}
              className="text-link text-ink tabular-nums"
            >
              {coordinates.lat}, {coordinates.lng}
            </a>
          </p>
        </>
      ) : null}
    </>
  );
}
