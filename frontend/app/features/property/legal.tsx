import type { ReactNode } from "react";
import { figuresOf } from "#app/lib/api/coming.ts";
import type { PropertyDetail } from "#app/lib/api/types.ts";
import { formatPercent } from "#app/lib/format/format.ts";
import { useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useSite } from "#app/lib/site/site-query.ts";
import { mailHref } from "./ask-text.ts";
import { purchaseFigures } from "./costs/figures.ts";
import { detailMessages } from "./detail-messages.ts";
import { legalMessages } from "./legal-messages.ts";

/** What the law has us say to whoever thinks of buying. */
export function Legal({ property }: { property: PropertyDetail }) {
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
          {email && property.status !== "sold" ? (
            <a
              href={mailHref(email, property.ref, t.sheetLine(property.ref))}
              className="text-link"
            >
              {t.sheetAsk}
            </a>
          ) : null}
        </Notice>
        <Notice name={t.certificateTitle}>{t.certificate}</Notice>
      </dl>
    </section>
  );
}

/** That taxes and costs come on top; with their rates, where the editors have given them. */
export function PriceNote() {
  const locale = useLocale();
  const t = useMessages(legalMessages);
  const d = useMessages(detailMessages);
  const figures = purchaseFigures(figuresOf(useSite().settings), locale);
  if (!figures) return d.priceNote;
  const rate = ({ value }: { value: number }) => formatPercent(locale, value);
  return t.price(rate(figures.transfer[0]), rate(figures.homeVat), rate(figures.stampDuty));
}

function Notice({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="font-semibold">{name}</dt>
      <dd className="mt-1 text-muted">{children}</dd>
    </div>
  );
}
