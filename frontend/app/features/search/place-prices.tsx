import type { PlacePrices as Prices } from "#app/lib/api/types.ts";
import { formatDate } from "#app/lib/format/date.ts";
import { formatNumber, formatPrice } from "#app/lib/format/format.ts";
import { useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { placeMessages } from "./place-messages.ts";

/** The median asking prices of a place. */
export function PlacePrices({ place, prices }: { place: string; prices: Prices }) {
  const locale = useLocale();
  const t = useMessages(placeMessages);
  const { price, metreOfFlats, metreOfHouses, at } = prices;
  const rows = [
    { name: t.home, median: price },
    { name: t.metreOfFlats, median: metreOfFlats },
    { name: t.metreOfHouses, median: metreOfHouses },
  ];
  return (
    <section aria-labelledby="prices" className="mt-16 border-t border-line pt-12">
      <h2 id="prices" className="text-heading">
        {t.prices(place)}
      </h2>
      <p className="mt-4 max-w-[65ch] text-muted">
        {t.pricesText(formatNumber(locale, price.homes), formatDate(locale, at))}
      </p>
      <dl className="mt-5 grid gap-5 sm:grid-cols-2 xl:grid-cols-3">
        {rows.map(({ name, median }) =>
          median ? (
            <div key={name}>
              <dt>{name}</dt>
              <dd className="font-display text-xl tabular-nums">
                {formatPrice(locale, median.euros)}{" "}
                <span className="font-sans text-sm text-muted">
                  {t.of(formatNumber(locale, median.homes))}
                </span>
              </dd>
            </div>
          ) : null,
        )}
      </dl>
    </section>
  );
}
