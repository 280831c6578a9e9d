import { formatNumber } from "#app/lib/format/format.ts";
import type { Locale } from "#app/lib/i18n/locale.ts";

/** Square feet in a square metre. */
const SQUARE_FEET = 10.7639;

/** Formats an area in square feet: `1,292 sq ft`, `1.292 pies²`. */
export function formatSquareFeet(locale: Locale, squareMetres: number): string {
  const feet = formatNumber(locale, Math.round(squareMetres * SQUARE_FEET));
  return `${feet}\u00a0${locale === "en" ? "sq\u00a0ft" : "pies²"}`;
}

/** Formats a price in pounds: `£302,000`, `302.000 £`. A converted price is rounded. */
export function formatPounds(locale: Locale, pounds: number): string {
  const step = pounds < 100_000 ? 100 : 1_000;
  const amount = formatNumber(locale, Math.round(pounds / step) * step);
  return locale === "en" ? `£${amount}` : `${amount}\u00a0£`;
}
