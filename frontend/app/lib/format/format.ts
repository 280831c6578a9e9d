import type { Locale } from "#app/lib/i18n/locale.ts";

/*
 * Written by hand: on a phone the browser's own formatters take a tenth of a second to begin with,
 * and every list and home begins with a price.
 */

const SEPARATORS = {
  en: { group: ",", decimal: "." },
  es: { group: ".", decimal: "," },
} as const;

/** A figure with its digits in groups of three, rounded to `most` decimals. */
function figure(locale: Locale, value: number, most: number): string {
  const { group, decimal } = SEPARATORS[locale];
  // Most are whole, and a list has a hundred of them.
  const written = Number.isInteger(value) ? String(value) : rounded(value, most).toFixed(most);
  const [integer = "", decimals = ""] = written.split(".");
  const kept = decimals.replace(/0+$/, "");
  const grouped = integer.replace(/\B(?=(\d{3})+$)/g, group);
  return kept === "" ? grouped : grouped + decimal + kept;
}

/** To the nearest figure as it is written: 1.005, which no computer holds, is 1.01. */
function rounded(value: number, decimals: number): number {
  const size = Math.abs(value);
  return Math.sign(value) * Number(`${Math.round(Number(`${size}e${decimals}`))}e-${decimals}`);
}

/** `€350,000`, `350.000 €`: nothing on the site is told in cents. */
export function formatPrice(locale: Locale, price: number): string {
  const sign = price < 0 ? "-" : "";
  const written = figure(locale, Math.abs(price), 0);
  return sign + (locale === "en" ? `€${written}` : `${written}\u00a0€`);
}

/** `5.6%`, `5,6 %`: of a figure in per cent, rounded to `most` decimals; 3 keep a rate as it was given. */
export function formatPercent(locale: Locale, percent: number, most = 1): string {
  return figure(locale, percent, most) + (locale === "en" ? "%" : "\u00a0%");
}

/** `1,250`, `1.250`. */
export function formatNumber(locale: Locale, value: number): string {
  return figure(locale, value, 2);
}

/** `120 m²`. */
export function formatArea(locale: Locale, squareMetres: number): string {
  return `${formatNumber(locale, squareMetres)}\u00a0m²`;
}

/** A telephone number as a link wants it: digits, and a plus where it had one. */
export function telephoneHref(phone: string): string {
  return `tel:${phone.replace(/[^\d+]/g, "")}`;
}

/**
 * A conversation on WhatsApp, with a first line already written. It knows numbers by their country, which
 * Spaniards leave out of their own.
 */
export function whatsappHref(phone: string, text?: string): string {
  const dialled = phone.replace(/[^\d+]/g, "").replace(/^(?=[6-9]\d{8}$)/, "34");
  const href = `https://wa.me/${dialled.replace(/^00|\D/, "")}`;
  return text ? `${href}?text=${encodeURIComponent(text)}` : href;
}
