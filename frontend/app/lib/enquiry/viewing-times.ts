import { textIn } from "#app/lib/form/form-data.ts";
import type { Locale } from "#app/lib/i18n/locale.ts";
import { halfHours, type OpeningHours, openingLines } from "#app/lib/site/opening-hours.ts";
import { type EnquiryAnswer, type EnquiryError, TIMES } from "./enquiry.ts";
import { REFUSALS } from "./rules.gen.ts";

/** How many days ahead a viewing may be proposed: the service's `viewing_time.rs` says the same. */
const MAX_DAYS = 60;

const DAY_MS = 86_400_000;

const WORDS = {
  en: {
    early: "Choose a day from tomorrow on.",
    late: `Choose a day within the next ${MAX_DAYS} days.`,
    closed: "Our office is closed on that day.",
    dayless: (proposed: string) =>
      `Choose a day for this time, or set the time back to ${proposed}.`,
    hours: (line: string) => `Choose a time within our hours. ${line}.`,
  },
  es: {
    early: "Elija un día a partir de mañana.",
    late: `Elija un día dentro de los próximos ${MAX_DAYS} días.`,
    closed: "Ese día nuestra oficina está cerrada.",
    dayless: (proposed: string) =>
      `Elija un día para esta hora, o vuelva a dejar la hora en ${proposed}.`,
    hours: (line: string) => `Elija una hora dentro de nuestro horario. ${line}.`,
  },
};

/** The first and the last day that may be proposed at `now`, on the agency's calendar. */
export function proposableDays(now: Date): { first: string; last: string } {
  const today = new Intl.DateTimeFormat("sv-SE", { timeZone: "Europe/Madrid" }).format(now);
  return { first: addDays(today, 1), last: addDays(today, MAX_DAYS) };
}

/** When somebody is there on `day`, as a field for dates gives it. */
export function hoursOn(hours: OpeningHours, day: string): OpeningHours {
  const date = new Date(`${day}T00:00Z`);
  const [month, weekday] = [date.getUTCMonth() + 1, date.getUTCDay() || 7];
  return hours
    .filter(({ months }) => months.length === 0 || months.includes(month))
    .filter(({ weekdays }) => weekdays.includes(weekday))
    .map((period) => ({ ...period, months: [], weekdays: [weekday] }));
}

/** What the field for an hour begins with, before a day is chosen: nobody has chosen it. */
export function proposedHour(hours: OpeningHours): string | undefined {
  const all = halfHours(hours);
  return all[3] ?? all[0];
}

/** The field in which a form says it. */
export const PROPOSED_HOUR = "proposedHour";

/** The half hours of `day`, and with them the `hour` that was chosen before, be it within them or not. */
export function halfHoursOn(hours: OpeningHours, day: string, hour: string): string[] {
  const found = halfHours(hoursOn(hours, day));
  const isChosen = hour !== "" && hour !== proposedHour(hours);
  if (found.length === 0 || !isChosen || found.includes(hour)) return found;
  // Else the browser would choose another by itself, and nothing would say so.
  return [...found, hour].sort();
}

/** A day and an hour as their fields have them. */
export interface Chosen {
  readonly day: string;
  readonly hour: string;
}

/**
 * What is chosen `now` that the field `changed` was. An hour is chosen in its own field alone: with a day its
 * list changes, and the browser may show another that nobody has chosen.
 */
export function chosenAfter(
  before: readonly Chosen[],
  now: readonly Chosen[],
  changed: string,
): Chosen[] {
  return now.map(({ day, hour }, index) => {
    const isOwn = changed === `time${TIMES[index]}`;
    return { day, hour: isOwn ? hour : (before[index]?.hour ?? "") };
  });
}

/**
 * The times of `form`, each with the number of its fields: the days with their hours, and each hour that was
 * chosen without a day. A page that was open before forms said what hours begin with has none of the latter.
 */
export function givenTimes(form: FormData): readonly (Chosen & { readonly time: number })[] {
  const proposed = textIn(form, PROPOSED_HOUR);
  return TIMES.map((time) => ({
    time,
    day: textIn(form, `day${time}`),
    hour: textIn(form, `time${time}`),
  })).filter(({ day, hour }) => day || (proposed && hour && hour !== proposed));
}

/**
 * What is wrong with the times of `form`, each at the field that it is wrong in. Where nobody has said
 * when somebody is there, the office judges the time itself.
 */
export function timeErrors(
  form: FormData,
  hours: OpeningHours,
  locale: Locale,
  now: Date,
): EnquiryError[] {
  const given = givenTimes(form);
  if (given.length === 0) return [{ field: "day1", detail: REFUSALS.required[locale] }];
  const { first, last } = proposableDays(now);
  const words = WORDS[locale];
  return given.flatMap(({ time, day, hour }): EnquiryError[] => {
    const ofDay = (detail: string) => [{ field: `day${time}`, detail }];
    if (day === "") return ofDay(words.dayless(textIn(form, PROPOSED_HOUR)));
    if (Number.isNaN(Date.parse(`${day}T00:00Z`))) return ofDay(REFUSALS.invalid[locale]);
    if (day < first) return ofDay(words.early);
    if (day > last) return ofDay(words.late);
    if (hours.length === 0) return [];
    const open = hoursOn(hours, day);
    if (open.length === 0) return ofDay(words.closed);
    if (open.some(({ opens, closes }) => opens <= hour && hour < closes)) return [];
    return [{ field: `time${time}`, detail: words.hours(openingLines(open, locale).join(". ")) }];
  });
}

/** That a time can't be taken the service says, and not which: the hours that pages show tell it. */
export function timesPlaced(
  answer: EnquiryAnswer,
  form: FormData,
  hours: OpeningHours,
  locale: Locale,
  now = new Date(),
): EnquiryAnswer {
  if (!("errors" in answer && answer.errors.some(({ field }) => field === "times"))) return answer;
  const placed = timeErrors(form, hours, locale, now);
  if (placed.length === 0) return answer;
  return {
    errors: answer.errors.flatMap((error) => (error.field === "times" ? placed : error)),
  };
}

function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}
