import { formatDate } from "#app/lib/format/date.ts";
import { formatPercent, formatPrice } from "#app/lib/format/format.ts";
import { useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { detailMessages } from "../detail-messages.ts";
import { reductionOf } from "./price-difference.ts";

interface ReductionProps {
  price: number | null | undefined;
  previousPrice: number | null | undefined;
  /** The date of the reduction. */
  reducedAt: string | null | undefined;
}

/** The amount of the last reduction, and its date. */
export function Reduction({ price, previousPrice, reducedAt }: ReductionProps) {
  const locale = useLocale();
  const d = useMessages(detailMessages);
  const reduction = reductionOf(price, previousPrice);
  if (!reduction) return null;
  const by = [
    formatPrice(locale, reduction.amount),
    formatPercent(locale, reduction.percent),
  ] as const;
  return (
    // Keyed by its amount: a browser translation may have replaced the text node, so React could not update it.
    <p key={reduction.amount} className="reduction">
      {d.reducedBy(...by)}
      {reducedAt ? (
        <>
          {" "}
          <time dateTime={reducedAt}>{d.reducedOn(formatDate(locale, reducedAt))}</time>
        </>
      ) : null}
    </p>
  );
}
