import type { Locale } from "#app/lib/i18n/locale.ts";

/** Digits parted in groups of three, by points or by commas, up to a decimal mark of the other kind. */
const PARTED = /^[1-9]\d{0,2}(?:(?:\.\d{3})+(?=,|$)|(?:,\d{3})+(?=\.|$))/;

/** The number that somebody wrote: `87,5`, `250.000`, `1,200.50`; NaN for what is none. */
export function writtenNumber(text: string): number {
  const figure = text.replace(/\s/g, "");
  return writtenDecimal(figure.replace(PARTED, (parted) => parted.replace(/[.,]/g, "")));
}

/** The same of what has no thousands, such as a rate: `2.565` is more than two and less than three. */
export function writtenDecimal(text: string): number {
  const plain = text.replace(/\s/g, "").replace(",", ".");
  return /^\d+(?:\.\d+)?$/.test(plain) ? Number(plain) : Number.NaN;
}

/** A number as a field begins with it, in the language of its page: `3.5`, `3,5`. */
export function decimalText(locale: Locale, value: number): string {
  return String(value).replace(".", locale === "es" ? "," : ".");
}
