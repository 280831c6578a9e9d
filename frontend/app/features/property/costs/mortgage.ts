import { parseNumber } from "#app/lib/format/parse-number.ts";

/** A loan that is repaid in equal monthly payments. */
interface Loan {
  readonly principal: number;
  readonly years: number;
  /** Percent a year. */
  readonly annualRate: number;
}

interface Repayment {
  readonly monthly: number;
  readonly total: number;
  readonly interest: number;
}

/** Returns what a loan costs, in euros, not rounded. A principal of zero costs nothing. */
export function repayment({ principal, years, annualRate }: Loan): Repayment {
  const months = years * 12;
  const rate = annualRate / 1_200;
  const monthly =
    rate === 0 ? principal / months : (principal * rate) / (1 - (1 + rate) ** -months);
  const total = monthly * months;
  return { monthly, total, interest: total - principal };
}

/** The longest term that banks offer. */
const MAX_YEARS = 40;

/** Returns the longest term in years such that the loan is repaid by `lastAge`; 0 if it is too late. */
export function maxYears(age: number | undefined, lastAge: number | undefined): number {
  if (age === undefined || lastAge === undefined) return MAX_YEARS;
  return Math.max(0, Math.min(MAX_YEARS, Math.floor(lastAge - age)));
}

/**
 * Limits a typed term to `max` years. Returns the text unchanged if it is not a number, or if no term is
 * possible (`max` is 0).
 */
export function limitedTerm(typed: string, max: number): string {
  return max > 0 && parseNumber(typed) > max ? String(max) : typed;
}

/** The share of the price that buyers usually pay themselves. */
const USUAL_DEPOSIT = 0.3;

/** Returns the default deposit: the usual share, rounded to thousands. */
export function usualDeposit(price: number): number {
  return Math.round((price * USUAL_DEPOSIT) / 1_000) * 1_000;
}
