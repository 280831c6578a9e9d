import { LANGUAGE_TAG, type Locale } from "#app/lib/i18n/locale.ts";

type Style = "time" | "day" | "full";

const STYLES: Record<Style, Intl.DateTimeFormatOptions> = {
  time: { hour: "2-digit", minute: "2-digit", second: "2-digit" },
  day: { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" },
  full: { dateStyle: "full", timeStyle: "long" },
};

const formatters = new Map<string, Intl.DateTimeFormat>();

/** Returns a cached formatter: making one takes longer than formatting a whole list of times. */
function formatter(locale: Locale, style: Style): Intl.DateTimeFormat {
  const key = `${locale} ${style}`;
  const known = formatters.get(key);
  if (known) return known;
  const format = new Intl.DateTimeFormat(LANGUAGE_TAG[locale], STYLES[style]);
  formatters.set(key, format);
  return format;
}

/** Formats a time in the operator's time zone: `14:03:21` today, `24 Nov, 14:03` on another day. */
export function formatMoment(locale: Locale, timestamp: string, now: number): string {
  const time = Date.parse(timestamp);
  if (Number.isNaN(time)) return timestamp;
  const today = new Date(time).toDateString() === new Date(now).toDateString();
  return formatter(locale, today ? "time" : "day").format(time);
}

/** Formats the full date and time, with the time zone. */
export function formatFully(locale: Locale, timestamp: string): string {
  const time = Date.parse(timestamp);
  return Number.isNaN(time) ? timestamp : formatter(locale, "full").format(time);
}
