import { asRecord, textOf } from "#app/lib/api/answer.ts";
import type { Locale } from "#app/lib/i18n/locale.ts";
import { type ApiQuery, apiQuery } from "#app/lib/query/api-query.ts";

/** What the office promises to senders of an enquiry, in the editors' words; empty if there is none. */
interface Promises {
  /** When and by whom an enquiry is answered. */
  answer: string;
  /** The same for a valuation, with what it costs. */
  valuation: string;
}

/** Queries the promises. They are stored with the figures, so that only pages that show them load them. */
export function promisesQuery(locale: Locale): ApiQuery<Promises> {
  return apiQuery("/api/figures", { query: { locale, group: ["promises"] } }, ({ figures }) =>
    promisesOf(figures),
  );
}

export function promisesOf(figures: unknown): Promises {
  const { answer, valuation } = asRecord(asRecord(figures).promises);
  return { answer: textOf(answer), valuation: textOf(valuation) };
}
