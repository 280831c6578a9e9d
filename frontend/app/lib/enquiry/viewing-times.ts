import { textIn } from "#app/lib/form/form-data.ts";
import type { Locale } from "#app/lib/i18n/locale.ts";
import { defineMessages, messagesFor } from "#app/lib/i18n/messages.ts";
import { halfHours, type OpeningHours, openingLines } from "#app/lib/site/opening-hours.ts";
import { type EnquiryAnswer, type EnquiryError, TIMES } from "./enquiry.ts";
import { REFUSALS } from "./refusals.gen.ts";
import { MAX_DAYS } from "./rules.gen.ts";

const DAY_MS = 86_400_000;

const messages = defineMessages({
  en: {
    early: "Choose tomorrow or later.",
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
    dayless: (proposed) => `Elija un día para esta hora, o vuelva a dejar la hora en ${proposed}.`,
    hours: (line) => `Elija una hora dentro de nuestro horario. ${line}.`,
  },
});

/** Returns the first and the last day that may be proposed at `now`, in the agency's time zone. */
export function proposableDays(now: Date): { first: string; last: string } {
  const today = new Intl.DateTimeFormat("sv-SE", { timeZone: "Europe/Madrid" }).format(now);
  return { first: addDays(today, 1), last: addDays(today, MAX_DAYS) };
}

/** Returns the opening hours on `day`, a date as a date field yields it. */
export function hoursOn(hours: OpeningHours, day: string): OpeningHours {
  const date = new Date(`${day}T00:00Z`);
  const [month, weekday] = [date.getUTCMonth() + 1, date.getUTCDay() || 7];
  return hours
    .filter(({ months }) => months.length === 0 || months.includes(month))
    .filter(({ weekdays }) => weekdays.includes(weekday))
    .map((period) => ({ ...period, months: [], weekdays: [weekday] }));
}

/** Returns the preselected value of an hour field, which does not count as a choice of the visitor. */
export function proposedHour(hours: OpeningHours): string | undefined {
  const all = halfHours(hours);
  return all[3] ?? all[0];
}

/** The name of the hidden field that holds the preselected hour. */
export const PROPOSED_HOUR = "proposedHour";

/** Returns the half hours of `day`, and the `hour` that was chosen before, even if it is outside of them. */
export function halfHoursOn(hours: OpeningHours, day: string, hour: string): string[] {
  const found = halfHours(hoursOn(hours, day));
  const isChosen = hour !== "" && hour !== proposedHour(hours);
  if (found.length === 0 || !isChosen || found.includes(hour)) return found;
  // Otherwise the browser would silently select another one.
  return [...found, hour].sort();
}

/** A day and an hour, as their form fields hold them. */
export interface Chosen {
  readonly day: string;
  readonly hour: string;
}

/**
 * Returns what is chosen after the field `changed` has changed. Only a change of its own field changes an
 * hour: another day changes the list of hours, and the browser may show one that the visitor has not chosen.
 */
export function nextChosen(
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
 * Returns the times in `form`, each with the number of its fields: the days with their hours, and each hour
 * that was chosen without a day.
 */
export function givenTimes(form: FormData): readonly (Chosen & { readonly time: number })[] {
  const proposed = textIn(form, PROPOSED_HOUR);
  return TIMES.map((time) => ({
    time,
    day: textIn(form, `day${time}`),
    hour: textIn(form, `time${time}`),
  })).filter(({ day, hour }) => day || (hour && hour !== proposed));
}

/**
 * Returns the errors in the times of `form`, each for the field that is wrong. If the office has no opening
 * hours, any time of a valid day is accepted, and the office decides.
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
  const words = messagesFor(messages, locale);
  return given.flatMap(({ time, day, hour }): EnquiryError[] => {
    const dayError = (detail: string) => [{ field: `day${time}`, detail }];
    if (day === "") return dayError(words.dayless(textIn(form, PROPOSED_HOUR)));
    if (Number.isNaN(Date.parse(`${day}T00:00Z`))) return dayError(REFUSALS.invalid[locale]);
    if (day < first) return dayError(words.early);
    if (day > last) return dayError(words.late);
    if (hours.length === 0) return [];
    const open = hoursOn(hours, day);
    if (open.length === 0) return dayError(words.closed);
    if (open.some(({ opens, closes }) => opens <= hour && hour < closes)) return [];
    return [{ field: `time${time}`, detail: words.hours(openingLines(open, locale).join(". ")) }];
  });
}

/**
 * Replaces the service's error, which does not tell which time is invalid, by errors at the fields, found by
 * the opening hours that the pages show.
 */
export function withTimeErrors(
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
