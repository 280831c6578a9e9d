import type { ReactNode } from "react";
import type { SentEnquiry } from "#app/lib/account/account.ts";
import { formatDate } from "#app/lib/format/date.ts";
import { foreignTag, LANGUAGE_TAG, localizedPath, useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Badge } from "#app/ui/badge.tsx";
import { buttonStyle } from "#app/ui/button.tsx";
import { Card } from "#app/ui/card.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { Link } from "#app/ui/link.tsx";
import { accountAreaMessages } from "./area-messages.ts";

interface MyEnquiriesProps {
  enquiries: readonly SentEnquiry[];
  /** Renders more details below each enquiry. */
  renderDetails?: (enquiry: SentEnquiry) => ReactNode;
}

/** Lists the account's enquiries to the office and their states. */
export function MyEnquiries({ enquiries, renderDetails }: MyEnquiriesProps) {
  const t = useMessages(accountAreaMessages);
  if (enquiries.length === 0) {
    return (
      <EmptyState title={t.noEnquiries}>
        <Link to="/contact-us" className={`${buttonStyle.primary} mt-6`}>
          {t.ask}
        </Link>
      </EmptyState>
    );
  }
  return (
    <>
      <p className="text-muted">{t.enquiriesLead}</p>
      <ul className="mt-6 grid gap-4">
        {enquiries.map((enquiry) => (
          <li key={enquiry.reference}>
            <EnquiryCard enquiry={enquiry}>{renderDetails?.(enquiry)}</EnquiryCard>
          </li>
        ))}
      </ul>
    </>
  );
}

function EnquiryCard({ enquiry, children }: { enquiry: SentEnquiry; children: ReactNode }) {
  const locale = useLocale();
  const t = useMessages(accountAreaMessages);
  const { homePath, homeTitle, homeReference, message, times, address, pictures } = enquiry;
  const time = new Intl.DateTimeFormat(LANGUAGE_TAG[locale], {
    dateStyle: "full",
    timeStyle: "short",
    timeZone: "UTC",
  });
  return (
    <Card className="p-5 sm:p-6">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-2 text-sm text-muted">
        <strong className="text-base text-ink tabular-nums">{enquiry.reference}</strong>
        <span>{t.kind(enquiry.kind)}</span>
        <span>{formatDate(locale, enquiry.receivedAt)}</span>
        <Badge>{t.state(enquiry.state)}</Badge>
      </p>
      {homeReference ? (
        // The stored title is in the language of the enquiry.
        <p lang={foreignTag(enquiry.locale === "es" ? "es" : "en", locale)} className="mt-3">
          {homePath ? (
            <a href={localizedPath(locale, homePath)} className="text-link">
              {homeTitle ?? homeReference}
            </a>
          ) : (
            (homeTitle ?? homeReference)
          )}
        </p>
      ) : null}
      {times.length > 0 ? (
        <p className="mt-3">
          {t.times} {times.map((each) => time.format(new Date(`${each}Z`))).join("; ")}
        </p>
      ) : null}
      {address ? <p className="mt-3">{address}</p> : null}
      {pictures.length > 0 ? (
        <ul className="mt-3 flex flex-wrap gap-2">
          {pictures.map((id, index) => (
            <li key={id}>
              <a href={`/api/account/pictures/${id}`}>
                <img
                  src={`/api/account/pictures/${id}`}
                  alt={t.picture(index + 1)}
                  loading="lazy"
                  className="h-20 w-28 rounded-lg object-cover"
                />
              </a>
            </li>
          ))}
        </ul>
      ) : null}
      {message ? <p className="mt-3 whitespace-pre-line wrap-anywhere">{message}</p> : null}
      {children}
    </Card>
  );
}
