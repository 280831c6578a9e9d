import { useQueryClient } from "@tanstack/react-query";
import type { ComparableHomes, PropertyDetail } from "#app/lib/api/types.ts";
import { formatDate } from "#app/lib/format/date.ts";
import { formatNumber, formatPrice } from "#app/lib/format/format.ts";
import { useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { PREVIEW_KEY } from "#app/lib/preview/preview.ts";
import { useOptionalAnswer } from "#app/lib/query/api-query.ts";
import { typePlurals } from "#app/lib/vocabulary/names.gen.ts";
import { comparableQuery, isComparable } from "./comparable.ts";
import { comparedMessages } from "./compared-messages.ts";
import { PriceRange } from "./price-range.tsx";

/** Compares the home's price with the asking prices of comparable homes, if there are enough. */
export function ComparedPrices({ property }: { property: PropertyDetail }) {
  const query = comparableQuery(useLocale(), property.ref);
  // The API doesn't know drafts, which a preview shows.
  const isPreview = useQueryClient().getQueryData(PREVIEW_KEY) !== undefined;
  const enabled = isComparable(property) && !isPreview;
  const homes = useOptionalAnswer({ ...query, enabled });
  return homes && enabled ? <PriceComparison homes={homes} /> : null;
}

export function PriceComparison({ homes }: { homes: ComparableHomes }) {
  const locale = useLocale();
  const t = useMessages(comparedMessages);
  const types = useMessages(typePlurals);
  const { lowest, highest, median, price, leastArea, mostArea, sold, soldSince, location } = homes;
  const euros = (amount: number) => formatPrice(locale, amount);
  const number = (amount: number) => formatNumber(locale, amount);
  const percent = Math.round((Math.abs(price - median) / median) * 100);
  const standing = percent === 0 ? t.same : price < median ? t.below(percent) : t.above(percent);
  const range = t.range(
    number(homes.homes),
    location.name,
    euros(lowest),
    euros(highest),
    euros(median),
  );
  const which = t.which(
    types[homes.propertyType],
    number(leastArea),
    number(mostArea),
    location.name,
  );
  return (
    <section aria-labelledby="compared" className="print:hidden">
      <h2 id="compared" className="text-heading">
        {t.title}
      </h2>
      <p className="mt-3 max-w-[60ch]">{`${range} ${t.standing(euros(price), standing)}`}</p>
      <PriceRange homes={homes} />
      <p className="mt-3 max-w-[60ch] text-sm text-muted">
        {`${sold > 0 ? t.andSold(which, sold, formatDate(locale, soldSince)) : `${which}.`} ${t.asked}`}
      </p>
    </section>
  );
}
