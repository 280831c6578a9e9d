/** The change of a price, in euros and in percent of the previous price. */
export interface PriceDifference {
  readonly amount: number;
  readonly percent: number;
}

/** Returns the reduction from the previous price; undefined if the price is not lower. */
export function reductionOf(
  price: number | null | undefined,
  previousPrice: number | null | undefined,
): PriceDifference | undefined {
  if (!price || !previousPrice || previousPrice <= price) return undefined;
  return difference(previousPrice, price);
}

/** Returns the change from the price `before` to the price `after`. */
export function difference(before: number, after: number): PriceDifference {
  const amount = Math.abs(after - before);
  return { amount, percent: (amount / before) * 100 };
}
