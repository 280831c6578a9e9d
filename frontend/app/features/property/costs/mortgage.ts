/** A loan that is paid back in equal months. */
export interface Loan {
  readonly principal: number;
  readonly years: number;
  /** In per cent. */
  readonly annualRate: number;
}

export interface Repayment {
  readonly monthly: number;
  readonly total: number;
  readonly interest: number;
}

/** What a loan costs, to the cent. Nothing borrowed costs nothing. */
export function repayment({ principal, years, annualRate }: Loan): Repayment {
  const months = years * 12;
  const rate = annualRate / 1_200;
  const exact = rate === 0 ? principal / months : (principal * rate) / (1 - (1 + rate) ** -months);
  const total = exact * months;
  return { monthly: cents(exact), total: cents(total), interest: cents(total - principal) };
}

function cents(amount: number): number {
  return Math.round(amount * 100) / 100;
}

/** The share of the price that a buyer usually brings. */
const USUAL_DEPOSIT = 0.3;

/** A deposit to start from: the usual share, in round thousands. */
export function usualDeposit(price: number): number {
  return Math.round((price * USUAL_DEPOSIT) / 1_000) * 1_000;
}
