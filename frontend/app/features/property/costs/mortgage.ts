import { writtenNumber } from "#app/lib/format/written-number.ts";

/** A loan that is paid back in equal months. */
interface Loan {
  readonly principal: number;
  readonly years: number;
  /** In per cent. */
  readonly annualRate: number;
}

interface Repayment {
  readonly monthly: number;
  readonly total: number;
  readonly interest: number;
}

/** What a loan costs, in euros and their fractions. Nothing borrowed costs nothing. */
export function repayment({ principal, years, annualRate }: Loan): Repayment {
  const months = years * 12;
  const rate = annualRate / 1_200;
  const monthly =
    rate === 0 ? principal / months : (principal * rate) / (1 - (1 + rate) ** -months);
  const total = monthly * months;
  return { monthly, total, interest: total - principal };
}

/** No bank lends for longer. */
const MAX_YEARS = 40;

/** Over how many years a loan may run, so that it is paid back at `lastAge`; none when it is late. */
export function maxYears(age: number | undefined, lastAge: number | undefined): number {
  if (age === undefined || lastAge === undefined) return MAX_YEARS;
  return Math.max(0, Math.min(MAX_YEARS, Math.floor(lastAge - age)));
}

/**
 * As many of the years that are asked for, as they are typed, as a loan may run. They stay as they are
 * where they are no figure, and where it may not run at all.
 */
export function termWithin(asked: string, most: number): string {
  return most > 0 && writtenNumber(asked) > most ? String(most) : asked;
}

/** The share of the price that a buyer usually brings. */
const USUAL_DEPOSIT = 0.3;

/** A deposit to start from: the usual share, in round thousands. */
export function usualDeposit(price: number): number {
  return Math.round((price * USUAL_DEPOSIT) / 1_000) * 1_000;
}
