import { useState } from "react";
import { formatPrice } from "#app/lib/format/format.ts";
import { useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { ImperialFigure } from "#app/lib/units/imperial-figure.tsx";
import { propertyMessages } from "../messages.ts";
import { reductionOf } from "./price-difference.ts";

interface PriceProps {
  price: number | null | undefined;
  previousPrice: number | null | undefined;
  className?: string;
}

/** The price, and the one before a reduction. Highlights a price that changes while the page is open. */
export function Price({ price, previousPrice, className = "" }: PriceProps) {
  const locale = useLocale();
  const t = useMessages(propertyMessages);
  const [first] = useState(price);
  const changed = first !== price;
  const text = price == null ? t.priceOnRequest : formatPrice(locale, price);
  const before =
    previousPrice && reductionOf(price, previousPrice)
      ? formatPrice(locale, previousPrice)
      : undefined;
  return (
    <p className={className ? `price ${className}` : "price"}>
      <span key={price} className={changed ? "price-changed" : undefined}>
        {text}
      </span>
      {before ? (
        <s>
          <span className="sr-only">{t.previousPrice(before)}</span>
          <span aria-hidden="true">{before}</span>
        </s>
      ) : null}
      <ImperialFigure price={price} />
    </p>
  );
}
