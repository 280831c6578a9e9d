import type { SiteSettings } from "#app/lib/api/types.ts";
import { MONTHS } from "#app/lib/format/date.ts";
import type { Locale } from "#app/lib/i18n/locale.ts";

export type OpeningHours = SiteSettings["openingHours"];
type Period = OpeningHours[number];

const WORDS = {
  en: {
    days: ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"],
    from: (first: string, last: string) => `${first} to ${last}`,
    and: "and",
  },
  es: {
    days: ["lunes", "martes", "miércoles", "jueves", "viernes", "sábado", "domingo"],
    from: (first: string, last: string) => `de ${first} a ${last}`,
    and: "y",
  },
};

/**
 * Formats the opening hours, one line for each season of the same days: `Monday to Friday: 9:30–14:00 and
 * 16:30–19:00`. The months of the longest season are omitted if the other seasons cover the rest of the year.
 */
export function openingLines(hours: OpeningHours, locale: Locale): string[] {
  const words = WORDS[locale];
  const shortTime = (time: string) => time.replace(/^0/, "");
  return groupedBy(hours, ({ weekdays }) => weekdays.join()).flatMap((ofDays) => {
    const isYearRound = new Set(ofDays.flatMap(monthsOf)).size === 12;
    const seasons = groupedBy(ofDays, (period) => monthsOf(period).join()).sort(
      (one, other) => monthsOf(other[0]).length - monthsOf(one[0]).length,
    );
    return seasons.map((periods, index) => {
      const days = joined(ranges(periods[0].weekdays, words.days, words.from), words.and);
      const months = ranges(monthsOf(periods[0]), MONTHS[locale].split(" "), words.from);
      const when = isYearRound && index === 0 ? days : `${joined(months, words.and)}, ${days}`;
      const times = [...periods]
        .sort((one, other) => one.opens.localeCompare(other.opens))
        .map(({ opens, closes }) => `${shortTime(opens)}–${shortTime(closes)}`);
      return `${when.charAt(0).toUpperCase()}${when.slice(1)}: ${joined(times, words.and)}`;
    });
  });
}

/** Groups periods by `key`, in the order of first occurrence. */
function groupedBy(
  periods: readonly Period[],
  key: (period: Period) => string,
): [Period, ...Period[]][] {
  const groups = new Map<string, [Period, ...Period[]]>();
  for (const period of periods) {
    const group = groups.get(key(period));
    if (group) group.push(period);
    else groups.set(key(period), [period]);
  }
  return [...groups.values()];
}

/** Returns every half hour at which the office is open in some month, in ascending order. */
export function halfHours(hours: OpeningHours): string[] {
  const found = new Set<number>();
  for (const { opens, closes } of hours) {
    for (let minute = Math.ceil(minutes(opens) / 30) * 30; minute < minutes(closes); minute += 30) {
      found.add(minute);
    }
  }
  const digits = (number: number) => String(number).padStart(2, "0");
  return [...found]
    .sort((one, other) => one - other)
    .map((minute) => `${digits(Math.floor(minute / 60))}:${digits(minute % 60)}`);
}

function monthsOf({ months }: Period): number[] {
  return months.length > 0 ? months : Array.from({ length: 12 }, (_, index) => index + 1);
}

/** Formats `1 2 3 5` as `Monday to Wednesday`, `Friday`; two in a row are listed separately. */
function ranges(
  numbers: readonly number[],
  names: readonly string[],
  from: (first: string, last: string) => string,
): string[] {
  const name = (number: number) => names[number - 1] ?? "";
  const runs: number[][] = [];
  for (const number of numbers) {
    const run = runs.at(-1);
    if (run?.at(-1) === number - 1) run.push(number);
    else runs.push([number]);
  }
  return runs.flatMap((run) =>
    run.length > 2 ? [from(name(run[0] ?? 0), name(run.at(-1) ?? 0))] : run.map(name),
  );
}

function joined(parts: readonly string[], and: string): string {
  return parts.length < 2
    ? (parts[0] ?? "")
    : `${parts.slice(0, -1).join(", ")} ${and} ${parts.at(-1)}`;
}

function minutes(time: string): number {
  const [hour = 0, minute = 0] = time.split(":").map(Number);
  return hour * 60 + minute;
}
