import type { ReactNode } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useSite } from "#app/lib/site/site-query.ts";
import { PriceNote } from "../price/price-note.tsx";
import { legalMessages } from "./legal-messages.ts";

/** What the law has us say to whoever thinks of buying. */
export function Legal({ reference }: { reference: string }) {
  const t = useMessages(legalMessages);
  const [email] = useSite().settings.emails;
  return (
    <section aria-labelledby="legal" className="print:hidden">
      <h2 id="legal" className="text-heading">
        {t.title}
      </h2>
      <dl className="mt-5 grid gap-x-8 gap-y-6 text-sm sm:grid-cols-2">
        <Notice name={t.priceTitle}>
          <PriceNote />
        </Notice>
        <Notice name={t.depositTitle}>{t.deposit}</Notice>
        <Notice name={t.sheetTitle}>
          {t.sheet}{" "}
          {email ? (
            <a href={mailHref(email, reference, t.sheetLine(reference))} className="text-link">
              {t.sheetAsk}
            </a>
          ) : null}
        </Notice>
        <Notice name={t.certificateTitle}>{t.certificate}</Notice>
      </dl>
    </section>
  );
}

/** The same in short, for paper. */
export function LegalSheet() {
  const t = useMessages(legalMessages);
  return (
    <p className="hidden text-xs text-muted print:block">
      {t.sheet} {t.deposit}
    </p>
  );
}

function Notice({ name, children }: { name: string; children: ReactNode }) {
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
