import type { ReactNode } from "react";
import type { PropertyDetail } from "#app/lib/api/types.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useSite } from "#app/lib/site/site-query.ts";
import { type Noun, nounOf } from "../noun.ts";
import { PriceNote } from "../price/price-note.tsx";
import { legalMessages } from "./legal-messages.ts";

type Notice =
  | "deposit"
  | "sheet"
  | "onAccount"
  | "building"
  | "certificate"
  | "papers"
  | "garage"
  | "community"
  | "planning"
  | "water"
  | "licence"
  | "tenant";

const BUSINESS: readonly Notice[] = ["papers", "licence", "community", "tenant", "certificate"];

/** Law 12/2023 and the Junta's information sheet are about dwellings; the rest have laws of their own. */
const NOTICES: Record<Noun, readonly Notice[]> = {
  home: ["deposit", "sheet", "certificate"],
  garage: ["papers", "garage", "community"],
  land: ["papers", "planning", "water"],
  office: BUSINESS,
  premises: BUSINESS,
};

const NEW_HOME: readonly Notice[] = ["deposit", "onAccount", "building", "sheet", "certificate"];

/** What is to be said of a property to whoever thinks of buying it, beside its price. */
export function noticesOf({ kind, newBuild }: Pick<PropertyDetail, "kind" | "newBuild">) {
  const noun = nounOf(kind);
  return noun === "home" && newBuild ? NEW_HOME : NOTICES[noun];
}

interface LegalProps {
  property: Pick<PropertyDetail, "kind" | "newBuild" | "ref">;
}

/** What the law has us say to whoever thinks of buying, and what is wise to ask. */
export function Legal({ property }: LegalProps) {
  const t = useMessages(legalMessages);
  const [email] = useSite().settings.emails;
  const letters: Partial<Record<Notice, [name: string, text: string]>> = {
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
        {noticesOf(property).map((notice) => {
          const letter = letters[notice];
          return (
            <NoticeEntry key={notice} name={t[`${notice}Title`]}>
              {t[notice]}{" "}
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
  const t = useMessages(legalMessages);
  const onPaper = noticesOf(property).filter(
    (notice) => notice === "deposit" || notice === "sheet" || notice === "papers",
  );
  return (
    <p className="hidden text-xs text-muted print:block">
      {onPaper.map((notice) => t[notice]).join(" ")}
    </p>
  );
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
