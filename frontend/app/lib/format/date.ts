import type { Locale } from "#app/lib/i18n/locale.ts";

/** The names of the months, January first, with spaces between them. */
export const MONTHS = {
  en: "January February March April May June July August September October November December",
  es: "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
} as const;

/** `8 January 2026` as it is in Spain, wherever the reader is. */
export function formatDate(locale: Locale, timestamp: string): string {
  const { day, month, year } = spanishDay(timestamp);
  return [day, MONTHS[locale].split(" ")[month], year].join(locale === "en" ? " " : " de ");
}

const HOUR_MS = 60 * 60 * 1_000;

/** The day that a moment falls on in mainland Spain; months count from 0. */
function spanishDay(timestamp: string): { day: number; month: number; year: number } {
  const time = Date.parse(timestamp);
  const there = new Date(time + (isSummer(time) ? 2 : 1) * HOUR_MS);
  return { day: there.getUTCDate(), month: there.getUTCMonth(), year: there.getUTCFullYear() };
}

/** Between the last Sundays of March and October, at one o'clock in Greenwich. */
function isSummer(time: number): boolean {
  const year = new Date(time).getUTCFullYear();
  return time >= lastSunday(year, 2) && time < lastSunday(year, 9);
}

function lastSunday(year: number, month: number): number {
  const end = new Date(Date.UTC(year, month + 1, 0, 1));
  return end.setUTCDate(end.getUTCDate() - end.getUTCDay());
}
