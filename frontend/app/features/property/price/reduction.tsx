import { formatPercent, formatPrice } from "#app/lib/format/format.ts";
import { useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { detailMessages } from "../detail-messages.ts";
import { reductionOf } from "./price-steps.ts";

interface ReductionProps {
  price: number | null | undefined;
  previousPrice: number | null | undefined;
}

/** How much less is asked than before. */
export function Reduction({ price, previousPrice }: ReductionProps) {
  const locale = useLocale();
  const d = useMessages(detailMessages);
  const reduction = reductionOf(price, previousPrice);
  if (!reduction) return null;
  return (
    <p className="reduction">
      {d.reducedBy(formatPrice(locale, reduction.amount), formatPercent(locale, reduction.percent))}
    </p>
  );
}
