import { LANGUAGE_TAG, type Locale } from "#app/lib/i18n/locale.ts";

/**
 * `€310k`, `€1.25m`; `310k €`, `1,25M €`: short enough to stand on a map. One decimal of a million is
 * a round price: €1,395,000 is `€1.40m`.
 */
export function shortPrice(locale: Locale, price: number): string {
  const thousands = Math.round(price / 1_000);
  const million = locale === "en" ? "m" : "M";
  const [value, unit] = thousands < 1_000 ? [thousands, "k"] : [price / 1_000_000, million];
  const digits = value.toLocaleString(LANGUAGE_TAG[locale], {
    minimumFractionDigits: unit === million && thousands % 100 > 0 ? 2 : 0,
    maximumFractionDigits: 2,
  });
  return locale === "en" ? `€${digits}${unit}` : `${digits}${unit}\u00a0€`;
}
