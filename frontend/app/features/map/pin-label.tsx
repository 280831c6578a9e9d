import { useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { statusNames } from "#app/lib/vocabulary/names.gen.ts";
import type { Pin } from "./map-query.ts";
import { mapMessages } from "./messages.ts";
import { shortPrice } from "./short-price.ts";

/** What stands on a home's pin: its price, where the sale stands if not at its start, its title unseen. */
export function PinLabel({ pin }: { pin: Pin }) {
  const locale = useLocale();
  const t = useMessages(mapMessages);
  const statuses = useMessages(statusNames);
  const price = pin.price == null ? t.onRequest : shortPrice(locale, pin.price);
  return (
    <>
      {pin.status === "for_sale" ? null : (
        <span className="text-[0.625rem] leading-none font-medium tracking-wide uppercase">
          {statuses[pin.status]}{" "}
        </span>
      )}
      {price}
      <span className="sr-only">, {pin.title}</span>
    </>
  );
}
