import { formatNumber } from "#app/lib/format/format.ts";
import type { Locale } from "#app/lib/i18n/locale.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** `38 ms`, `3.4 s`, `5 min`, `2 h 10 min`, `3 d 4 h`: two units at most, both languages' own signs. */
export function formatDuration(locale: Locale, milliseconds: number): string {
  const time = Math.max(0, milliseconds);
  if (Math.round(time) < SECOND) return `${Math.round(time)}\u00a0ms`;
  if (Math.round(time / 100) * 100 < 10 * SECOND) {
    return `${formatNumber(locale, Math.round(time / 100) / 10)}\u00a0s`;
  }
  const whole = Math.round(time / SECOND) * SECOND;
  if (whole < MINUTE) return `${whole / SECOND}\u00a0s`;
  if (whole < HOUR) return two(whole, MINUTE, "min", SECOND, "s", 10);
  if (whole < DAY) return two(whole, HOUR, "h", MINUTE, "min", 24);
  return two(whole, DAY, "d", HOUR, "h", 30);
}

/** From so many of the larger unit on, the smaller one says nothing any more. */
function two(
  time: number,
  large: number,
  largeSign: string,
  small: number,
  smallSign: string,
  alone: number,
): string {
  const whole = Math.floor(time / large);
  const rest = Math.floor((time - whole * large) / small);
  const first = `${whole}\u00a0${largeSign}`;
  return rest === 0 || whole >= alone ? first : `${first} ${rest}\u00a0${smallSign}`;
}
