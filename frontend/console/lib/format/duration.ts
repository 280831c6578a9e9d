import { formatNumber } from "#app/lib/format/format.ts";
import type { Locale } from "#app/lib/i18n/locale.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Formats a duration with at most two units: `38 ms`, `3.4 s`, `5 min`, `2 h 10 min`, `3 d 4 h`. */
export function formatDuration(locale: Locale, milliseconds: number): string {
  const time = Math.max(0, milliseconds);
  if (Math.round(time) < SECOND) return `${Math.round(time)}\u00a0ms`;
  if (Math.round(time / 100) * 100 < 10 * SECOND) {
    return `${formatNumber(locale, Math.round(time / 100) / 10)}\u00a0s`;
  }
  const rounded = Math.round(time / SECOND) * SECOND;
  if (rounded < MINUTE) return `${rounded / SECOND}\u00a0s`;
  if (rounded < HOUR) return inTwoUnits(rounded, MINUTE, "min", SECOND, "s", 10);
  if (rounded < DAY) return inTwoUnits(rounded, HOUR, "h", MINUTE, "min", 24);
  return inTwoUnits(rounded, DAY, "d", HOUR, "h", 30);
}

/** Formats in a large and a small unit. From a certain number of large units on the small one is omitted. */
function inTwoUnits(
  time: number,
  large: number,
  largeSign: string,
  small: number,
  smallSign: string,
  alone: number,
): string {
  const count = Math.floor(time / large);
  const rest = Math.floor((time - count * large) / small);
  const first = `${count}\u00a0${largeSign}`;
  return rest === 0 || count >= alone ? first : `${first} ${rest}\u00a0${smallSign}`;
}
