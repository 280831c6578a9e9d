import { fieldsOf, textOf } from "#app/lib/api/answer.ts";
import type { Locale } from "#app/lib/i18n/locale.ts";
import { type ApiQuery, apiQuery } from "#app/lib/query/api-query.ts";

/** What the office promises whoever writes to it, in the editors' words; nothing where they have none. */
export interface Promises {
  /** When an enquiry is answered, and by whom. */
  answer: string;
  /** The same of a valuation, and what it costs. */
  valuation: string;
}

/** They stand among the figures, so that only the pages that show them carry them. */
export function promisesQuery(locale: Locale): ApiQuery<Promises> {
  return apiQuery("/api/figures", { query: { locale, group: ["promises"] } }, ({ figures }) =>
    promisesOf(figures),
  );
}

export function promisesOf(figures: unknown): Promises {
  const { answer, valuation } = fieldsOf(fieldsOf(figures).promises);
  return { answer: textOf(answer), valuation: textOf(valuation) };
}
