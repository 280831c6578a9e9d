import type { PropertyDetail } from "#app/lib/api/types.ts";
import { formatPercent } from "#app/lib/format/format.ts";
import { type Locale, useLocale } from "#app/lib/i18n/locale.ts";
import { messagesFor } from "#app/lib/i18n/messages.ts";
import { figuresQuery, type PurchaseFigures } from "#app/lib/property/figures.ts";
import { useAnswer } from "#app/lib/query/api-query.ts";
import { detailMessages } from "../detail-messages.ts";
import { nounOf } from "../noun.ts";

type Taxed = Pick<PropertyDetail, "kind" | "newBuild">;

/** States that taxes and costs come on top, with the rates that apply if the editors entered them. */
export function PriceNote({ property }: { property: Taxed }) {
  const locale = useLocale();
  return priceNoteOf(property, useAnswer(figuresQuery(locale)).purchase, locale);
}

export function priceNoteOf(
  { kind, newBuild }: Taxed,
  figures: PurchaseFigures | undefined,
  locale: Locale,
): string {
  const d = messagesFor(detailMessages, locale);
  if (!figures) return d.priceNote;
  const rate = ({ value }: { value: number }) => formatPercent(locale, value, 3);
  const noun = nounOf(kind);
  const home = noun === "home";
  const transfer = d.transferTax(rate(figures.transfer[0]));
  const vat = d.vatAndDuty(
    rate(home ? figures.homeVat : figures.otherVat),
    rate(figures.stampDuty),
  );
  if (newBuild) return d.priceNoteWith(vat);
  return d.priceNoteWith(home ? transfer : d.eitherTax(transfer, vat, noun));
}
