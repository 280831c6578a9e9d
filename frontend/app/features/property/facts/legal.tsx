import type { ReactNode } from "react";
import type { PropertyDetail } from "#app/lib/api/types.ts";
import { useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useOptionalAnswer } from "#app/lib/query/api-query.ts";
import { useSite } from "#app/lib/site/site-query.ts";
import { editorialTextQuery } from "../editorial-text.ts";
import { PriceNote } from "../price/price-note.tsx";
import { legalMessages } from "./legal-messages.ts";
import type { Notice } from "./notices.ts";

interface LegalProps {
  property: Pick<PropertyDetail, "kind" | "newBuild" | "energy" | "ref" | "status">;
}

/** The notices that are printed, in small print. */
const ON_PAPER: readonly Notice["name"][] = ["deposit", "sheet", "papers"];

/** Notices for buyers: what the law requires us to state, and what is wise to ask. */
export function Legal({ property }: LegalProps) {
  const t = useMessages(legalMessages);
  // When the kind of property changes while the page is open, the new notices arrive a moment later.
  const notices = useOptionalAnswer(editorialTextQuery(useLocale(), property))?.notices ?? [];
  const [email] = useSite().settings.emails;
  const requests: Partial<Record<Notice["name"], [label: string, text: string]>> = {
    sheet: [t.sheetAsk, t.sheetLine(property.ref)],
    papers: [t.papersAsk, t.papersLine(property.ref)],
  };
  return (
    <section aria-labelledby="legal">
      <h2 id="legal" className="text-heading print:hidden">
        {t.title}
      </h2>
      <dl className="notices mt-5 grid gap-x-8 gap-y-6 text-sm sm:grid-cols-2">
        <NoticeEntry name={t.priceTitle} isOnPaper={false}>
          <PriceNote property={property} />
        </NoticeEntry>
        {notices.map(({ name, title, text }) => {
          const request = requests[name];
          return (
            <NoticeEntry key={name} name={title} isOnPaper={ON_PAPER.includes(name)}>
              {`${text} `}
              {email && request ? (
                <a
                  href={mailHref(email, property.ref, request[1])}
                  className="text-link print:hidden"
                >
                  {request[0]}
                </a>
              ) : null}
            </NoticeEntry>
          );
        })}
      </dl>
    </section>
  );
}

interface NoticeEntryProps {
  name: string;
  isOnPaper: boolean;
  children: ReactNode;
}

function NoticeEntry({ name, isOnPaper, children }: NoticeEntryProps) {
  return (
    <div className={isOnPaper ? undefined : "print:hidden"}>
      <dt className="font-semibold">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** Returns a link that opens an email in the visitor's mail program. */
function mailHref(address: string, subject: string, text: string): string {
  return `mailto:${address}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(text)}`;
}
