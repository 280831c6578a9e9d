import type { Locale } from "#app/lib/i18n/locale.ts";

/*
 * Does not use `Intl`: on a phone the browser's own formatters take a tenth of a second to initialise, and
 * every list and home shows a price.
 */

const SEPARATORS = {
  en: { group: ",", decimal: "." },
  es: { group: ".", decimal: "," },
} as const;

/** Formats a number with its digits in groups of three, rounded to `maxDecimals` decimals. */
function figure(locale: Locale, value: number, maxDecimals: number): string {
  const { group, decimal } = SEPARATORS[locale];
  // A fast path: most values are integers, and a list has a hundred of them.
  const digits = Number.isInteger(value)
    ? String(value)
    : rounded(value, maxDecimals).toFixed(maxDecimals);
  const [integer = "", decimals = ""] = digits.split(".");
  const fraction = decimals.replace(/0+$/, "");
  const grouped = integer.replace(/\B(?=(\d{3})+$)/g, group);
  return fraction === "" ? grouped : grouped + decimal + fraction;
}

/** Rounds by the decimal notation of a number: 1.005, which has no exact binary representation, becomes 1.01. */
function rounded(value: number, decimals: number): number {
  const size = Math.abs(value);
  return Math.sign(value) * Number(`${Math.round(Number(`${size}e${decimals}`))}e-${decimals}`);
}

/** Formats a price: `€350,000`, `350.000 €`. The site shows no cents. */
export function formatPrice(locale: Locale, price: number): string {
  const sign = price < 0 ? "-" : "";
  const amount = figure(locale, Math.abs(price), 0);
  return sign + (locale === "en" ? `€${amount}` : `${amount}\u00a0€`);
}

/** Formats a percentage: `5.6%`, `5,6 %`, rounded to `maxDecimals` decimals; 3 keep an interest rate exact. */
export function formatPercent(locale: Locale, percent: number, maxDecimals = 1): string {
  return figure(locale, percent, maxDecimals) + (locale === "en" ? "%" : "\u00a0%");
}

/** Formats a number: `1,250`, `1.250`. */
export function formatNumber(locale: Locale, value: number): string {
  return figure(locale, value, 2);
}

/** Formats an area: `120 m²`. */
export function formatArea(locale: Locale, squareMetres: number): string {
  return `${formatNumber(locale, squareMetres)}\u00a0m²`;
}

/** Returns the `tel:` link of a phone number: digits, and a leading plus if it has one. */
export function telephoneHref(phone: string): string {
  return `tel:${phone.replace(/[^\d+]/g, "")}`;
}

/**
 * Returns the link to a WhatsApp conversation, with a first message prefilled. WhatsApp needs the country
 * code, which Spaniards omit from their own numbers.
 */
export function whatsappHref(phone: string, text?: string): string {
  const dialled = phone.replace(/[^\d+]/g, "").replace(/^(?=[6-9]\d{8}$)/, "34");
  const href = `https://wa.me/${dialled.replace(/^00|\D/, "")}`;
  return text ? `${href}?text=${encodeURIComponent(text)}` : href;
}
