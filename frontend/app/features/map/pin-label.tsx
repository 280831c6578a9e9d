import { useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { statusNames } from "#app/lib/vocabulary/names.gen.ts";
import { Icon } from "#app/ui/icon.tsx";
import type { Pin } from "./map-query.ts";
import type { PinMark } from "./marker-style.ts";
import { mapMessages } from "./messages.ts";
import { shortPrice } from "./short-price.ts";

interface PinLabelProps {
  pin: Pin;
  /** The visitor's mark of the home. */
  mine?: PinMark | undefined;
}

/** The label of a pin: the price, the status unless it is for sale, and the title for screen readers. */
export function PinLabel({ pin, mine }: PinLabelProps) {
  const locale = useLocale();
  const t = useMessages(mapMessages);
  const statuses = useMessages(statusNames);
  const price = pin.price == null ? t.onRequest : shortPrice(locale, pin.price);
  return (
    <>
      {pin.status === "for_sale" ? null : (
        <span className="text-[0.625rem] leading-none font-medium tracking-wide uppercase">
          {`${statuses[pin.status]} `}
        </span>
      )}
      <span className="flex items-center gap-1">
        {mine === "favourite" ? <Icon name="heart" className="size-3 fill-clay text-clay" /> : null}
        <span>{price}</span>
      </span>
      <span className="sr-only">{`, ${pin.title}${mine ? `, ${t[mine]}` : ""}`}</span>
    </>
  );
}
