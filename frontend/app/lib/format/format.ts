import type { Locale } from "#app/lib/i18n/locale.ts";
import { perLocale } from "#app/lib/i18n/per-locale.ts";

const euros = perLocale(
  (tag) =>
    new Intl.NumberFormat(tag, {
      style: "currency",
      currency: "EUR",
      maximumFractionDigits: 0,
      useGrouping: "always",
    }),
);
const numbers = perLocale(
  (tag) => new Intl.NumberFormat(tag, { maximumFractionDigits: 2, useGrouping: "always" }),
);
const cents = perLocale(
  (tag) =>
    new Intl.NumberFormat(tag, { style: "currency", currency: "EUR", useGrouping: "always" }),
);
const percents = perLocale(
  (tag) => new Intl.NumberFormat(tag, { style: "percent", maximumFractionDigits: 1 }),
);
const dates = perLocale(
  (tag) =>
    new Intl.DateTimeFormat(tag, {
      day: "numeric",
      month: "long",
      year: "numeric",
      timeZone: "Europe/Madrid",
    }),
);

/** `€350,000`, `350.000 €`. */
export function formatPrice(locale: Locale, price: number): string {
  return euros(locale).format(price);
}

/** `€876.09`, `876,09 €`. */
export function formatCents(locale: Locale, amount: number): string {
  return cents(locale).format(amount);
}

/** `5.6%`, `5,6 %`: of a figure in per cent. */
export function formatPercent(locale: Locale, percent: number): string {
  return percents(locale).format(percent / 100);
}

/** `1,250`, `1.250`. */
export function formatNumber(locale: Locale, value: number): string {
  return numbers(locale).format(value);
}

/** `120 m²`. */
export function formatArea(locale: Locale, squareMetres: number): string {
  return `${formatNumber(locale, squareMetres)}\u00a0m²`;
}

/** `8 January 2026` as it is in Spain, wherever the reader is. */
export function formatDate(locale: Locale, timestamp: string): string {
  return dates(locale).format(new Date(timestamp));
}

/** A telephone number as a link wants it: digits, and a plus where it had one. */
export function telephoneHref(phone: string): string {
  return `tel:${phone.replace(/[^\d+]/g, "")}`;
}

/** A conversation on WhatsApp, with a first line already written. */
export function whatsappHref(phone: string, text?: string): string {
  const href = `https://wa.me/${phone.replace(/\D/g, "")}`;
  return text ? `${href}?text=${encodeURIComponent(text)}` : href;
}
