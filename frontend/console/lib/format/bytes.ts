import { formatNumber } from "#app/lib/format/format.ts";
import type { Locale } from "#app/lib/i18n/locale.ts";

const UNITS = ["B", "kB", "MB", "GB", "TB"] as const;

/** Formats a size in decimal units: `12 kB`, `1.2 GB`. */
export function formatBytes(locale: Locale, bytes: number): string {
  let value = Math.max(0, bytes);
  let unit = 0;
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1_000;
    unit += 1;
  }
  const rounded = value < 10 && unit > 0 ? Math.round(value * 10) / 10 : Math.round(value);
  return `${formatNumber(locale, rounded)}\u00a0${UNITS[unit]}`;
}
