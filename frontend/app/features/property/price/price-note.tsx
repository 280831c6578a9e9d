import { formatPercent } from "#app/lib/format/format.ts";
import { useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { figuresQuery } from "#app/lib/property/figures.ts";
import { useAnswer } from "#app/lib/query/api-query.ts";
import { detailMessages } from "../detail-messages.ts";

/** That taxes and costs come on top; with their rates, where the editors have given them. */
export function PriceNote() {
  const locale = useLocale();
  const d = useMessages(detailMessages);
  const figures = useAnswer(figuresQuery(locale)).purchase;
  if (!figures) return d.priceNote;
  const rate = ({ value }: { value: number }) => formatPercent(locale, value);
  return d.priceNoteWith(rate(figures.transfer[0]), rate(figures.homeVat), rate(figures.stampDuty));
}
