import type { Locale } from "#app/lib/i18n/locale.ts";

/** The names of the months, from January on, separated by spaces. */
export const MONTHS = {
  en: "January February March April May June July August September October November December",
  es: "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
} as const;

/** Formats a date as `8 January 2026`, in Spain's time zone, wherever the reader is. */
export function formatDate(locale: Locale, timestamp: string): string {
  const { day, month, year } = spanishDay(timestamp);
  return [day, MONTHS[locale].split(" ")[month], year].join(locale === "en" ? " " : " de ");
}

const HOUR_MS = 60 * 60 * 1_000;

/** Returns the date of a timestamp in mainland Spain; months count from 0. */
function spanishDay(timestamp: string): { day: number; month: number; year: number } {
  const time = Date.parse(timestamp);
  const local = new Date(time + (isSummerTime(time) ? 2 : 1) * HOUR_MS);
  return { day: local.getUTCDate(), month: local.getUTCMonth(), year: local.getUTCFullYear() };
}

/** Returns whether daylight saving time applies: between the last Sundays of March and October, at 01:00 UTC. */
function isSummerTime(time: number): boolean {
  const year = new Date(time).getUTCFullYear();
  return time >= lastSunday(year, 2) && time < lastSunday(year, 9);
}

function lastSunday(year: number, month: number): number {
  const end = new Date(Date.UTC(year, month + 1, 0, 1));
  return end.setUTCDate(end.getUTCDate() - end.getUTCDay());
}
