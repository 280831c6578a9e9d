import type { HistoryEntry } from "#app/lib/api/types.ts";

/** How far a price moved, and how much that is of the price before. */
export interface PriceDifference {
  readonly amount: number;
  readonly percent: number;
}

/** How much less is asked than before; nothing where it is not less. */
export function reductionOf(
  price: number | null | undefined,
  previousPrice: number | null | undefined,
): PriceDifference | undefined {
  if (!price || !previousPrice || previousPrice <= price) return undefined;
  return difference(previousPrice, price);
}

function difference(before: number, after: number): PriceDifference {
  const amount = Math.abs(after - before);
  return { amount, percent: (amount / before) * 100 };
}

export interface PriceStep extends HistoryEntry {
  /** Against the last price before; none at first, or where either is not told. */
  readonly change: PriceDifference | undefined;
  readonly raised: boolean;
}

/** What changed in price or status and when, newest first; entries that changed neither are left out. */
export function priceSteps(history: readonly HistoryEntry[]): PriceStep[] {
  const steps: PriceStep[] = [];
  let known: number | null = null;
  for (const entry of history) {
    const last = steps.at(-1);
    if (last && (last.price ?? null) === (entry.price ?? null) && last.status === entry.status)
      continue;
    const price = entry.price ?? null;
    const change =
      known !== null && price !== null && price !== known ? difference(known, price) : undefined;
    const raised = change !== undefined && (price ?? 0) > (known ?? 0);
    steps.push({ ...entry, change, raised });
    known = price ?? known;
  }
  return steps.reverse();
}
