import type { ReactNode } from "react";
import { telephoneHref, whatsappHref } from "#app/lib/format/format.ts";
import { useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { openingLines } from "#app/lib/site/opening-hours.ts";
import { useSite } from "#app/lib/site/site-query.ts";
import { EmailText } from "#app/ui/email-text.tsx";
import { Icon, type IconName } from "#app/ui/icon.tsx";
import { contactMessages } from "./messages.ts";

/** Every way that works today: they need nothing but the visitor's own telephone or mail. */
export function Ways() {
  const { settings } = useSite();
  const locale = useLocale();
  const t = useMessages(contactMessages);
  return (
    <section aria-label={t.ways}>
      <ul className="divide-y divide-line border-y border-line">
        {settings.whatsapp ? (
          <Way icon="whatsapp" title={t.whatsapp}>
            <WayLink href={whatsappHref(settings.whatsapp)}>{settings.whatsapp}</WayLink>
          </Way>
        ) : null}
        {settings.phones.length > 0 ? (
          <Way icon="phone" title={t.phone}>
            {settings.phones.map((phone) => (
              <WayLink key={phone} href={telephoneHref(phone)}>
                {phone}
              </WayLink>
            ))}
          </Way>
        ) : null}
        {settings.emails.length > 0 ? (
          <Way icon="mail" title={t.email}>
            {settings.emails.map((email) => (
              <WayLink key={email} href={`mailto:${email}`}>
                <EmailText address={email} />
              </WayLink>
            ))}
          </Way>
        ) : null}
        <Way icon="pin" title={t.office}>
          <Office />
        </Way>
        {settings.openingHours.length > 0 ? (
          <Way icon="clock" title={t.hours}>
            {openingLines(settings.openingHours, locale).map((line) => (
              <p key={line} className="py-1 text-lg">
                {line}
              </p>
            ))}
          </Way>
        ) : null}
      </ul>
    </section>
  );
}

function Way({ icon, title, children }: { icon: IconName; title: string; children: ReactNode }) {
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

function WayLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a href={href} className="text-link inline-block py-1 text-lg wrap-anywhere tabular-nums">
      {children}
    </a>
  );
}

/** Where we are. A map is a link, so that nobody hears of a visitor who does not follow it. */
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
            <span className="sr-only"> ({t.newWindow})</span>
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
