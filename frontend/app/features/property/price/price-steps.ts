import type { HistoryEntry } from "#app/lib/api/types.ts";
import { difference, type PriceDifference } from "./price-difference.ts";

export interface PriceStep extends HistoryEntry {
  /** The change from the last known price; undefined without one, on request, or if unchanged. */
  readonly change: PriceDifference | undefined;
  readonly raised: boolean;
}

/** Returns the changes of price or status, newest first; skips entries that changed neither. */
export function priceSteps(history: readonly HistoryEntry[]): PriceStep[] {
  const steps: PriceStep[] = [];
  let lastKnownPrice: number | null = null;
  for (const entry of history) {
    const last = steps.at(-1);
    if (last && (last.price ?? null) === (entry.price ?? null) && last.status === entry.status)
      continue;
    const price = entry.price ?? null;
    const change =
      lastKnownPrice !== null && price !== null && price !== lastKnownPrice
        ? difference(lastKnownPrice, price)
        : undefined;
    const raised = change !== undefined && (price ?? 0) > (lastKnownPrice ?? 0);
    steps.push({ ...entry, change, raised });
    lastKnownPrice = price ?? lastKnownPrice;
  }
  return steps.reverse();
}
