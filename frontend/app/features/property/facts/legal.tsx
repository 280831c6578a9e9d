import type { ReactNode } from "react";
import type { PropertyDetail } from "#app/lib/api/types.ts";
import { useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useIfWritten } from "#app/lib/query/api-query.ts";
import { useSite } from "#app/lib/site/site-query.ts";
import { PriceNote } from "../price/price-note.tsx";
import { legalMessages } from "./legal-messages.ts";
import { type Notice, noticesQuery } from "./notices.ts";

interface LegalProps {
  property: Pick<PropertyDetail, "kind" | "newBuild" | "ref">;
}

/** What the law has us say to whoever thinks of buying, and what is wise to ask. */
export function Legal({ property }: LegalProps) {
  const t = useMessages(legalMessages);
  const notices = useNotices(property);
  const [email] = useSite().settings.emails;
  const letters: Partial<Record<Notice["name"], [label: string, text: string]>> = {
    sheet: [t.sheetAsk, t.sheetLine(property.ref)],
    papers: [t.papersAsk, t.papersLine(property.ref)],
  };
  return (
    <section aria-labelledby="legal" className="print:hidden">
      <h2 id="legal" className="text-heading">
        {t.title}
      </h2>
      <dl className="mt-5 grid gap-x-8 gap-y-6 text-sm sm:grid-cols-2">
        <NoticeEntry name={t.priceTitle}>
          <PriceNote property={property} />
        </NoticeEntry>
        {notices.map(({ name, title, text }) => {
          const letter = letters[name];
          return (
            <NoticeEntry key={name} name={title}>
              {text}{" "}
              {email && letter ? (
                <a href={mailHref(email, property.ref, letter[1])} className="text-link">
                  {letter[0]}
                </a>
              ) : null}
            </NoticeEntry>
          );
        })}
      </dl>
    </section>
  );
}

/** What the law has us say, in short, for paper. */
export function LegalSheet({ property }: LegalProps) {
  const notices = useNotices(property);
  const onPaper = notices.filter(({ name }) => ["deposit", "sheet", "papers"].includes(name));
  return (
    <p className="hidden text-xs text-muted print:block">
      {onPaper.map(({ text }) => text).join(" ")}
    </p>
  );
}

/** Those about a property; of one that becomes another kind while it is looked at, a moment later. */
function useNotices(property: LegalProps["property"]): readonly Notice[] {
  return useIfWritten(noticesQuery(useLocale(), property)) ?? [];
}

function NoticeEntry({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="font-semibold">{name}</dt>
      <dd className="mt-1 text-muted">{children}</dd>
    </div>
  );
}

/** A letter in the visitor's own mail program. */
function mailHref(address: string, subject: string, text: string): string {
  return `mailto:${address}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(text)}`;
}
