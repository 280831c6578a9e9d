import type { Locale } from "#app/lib/i18n/locale.ts";

/** Digits grouped in threes by points or by commas, up to a decimal mark of the other kind. */
const GROUPED = /^[1-9]\d{0,2}(?:(?:\.\d{3})+(?=,|$)|(?:,\d{3})+(?=\.|$))/;

/** Parses a typed number: `87,5`, `250.000`, `1,200.50`. Returns NaN for other text. */
export function parseNumber(text: string): number {
  const figure = text.replace(/\s/g, "");
  return parseDecimal(figure.replace(GROUPED, (grouped) => grouped.replace(/[.,]/g, "")));
}

/**
 * Parses a number that has no thousands separators, such as a rate: `2.565` is more than two and less than
 * three.
 */
export function parseDecimal(text: string): number {
  const plain = text.replace(/\s/g, "").replace(",", ".");
  return /^\d+(?:\.\d+)?$/.test(plain) ? Number(plain) : Number.NaN;
}

/** Formats a number as the default value of a field, in the page's language: `3.5`, `3,5`. */
export function decimalText(locale: Locale, value: number): string {
  return String(value).replace(".", locale === "es" ? "," : ".");
}
