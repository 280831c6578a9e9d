import { LANGUAGE_TAG, type Locale } from "#app/lib/i18n/locale.ts";

/**
 * Formats a price for a pin of the map: `€310k`, `€1.25m`; `310 mil €`, `1,25 M€`. Millions have two
 * decimals unless the price, in thousands, is a multiple of 100,000: €1,395,000 is `€1.40m`, and €1,400,000
 * is `€1.4m`.
 */
export function shortPrice(locale: Locale, price: number): string {
  const thousands = Math.round(price / 1_000);
  const inMillions = thousands >= 1_000;
  const value = inMillions ? price / 1_000_000 : thousands;
  const digits = value.toLocaleString(LANGUAGE_TAG[locale], {
    minimumFractionDigits: inMillions && thousands % 100 > 0 ? 2 : 0,
    maximumFractionDigits: 2,
  });
  if (locale === "en") return `€${digits}${inMillions ? "m" : "k"}`;
  return `${digits}\u00a0${inMillions ? "M€" : "mil\u00a0€"}`;
}
