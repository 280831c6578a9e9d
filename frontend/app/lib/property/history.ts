import type { HistoryEntry, PropertyDetail } from "#app/lib/api/types.ts";

/** How many offers of a property's history its page shows before more are requested. */
export const NEWEST_OFFERS = 3;

/**
 * Drops the beginning of a long history, which the document would contain twice, and returns how many offers
 * that are. The offer before the newest ones is retained, or the last one before that which had a price: the
 * oldest of them is compared with it.
 */
export function newestOf(
  history: HistoryEntry[],
): Pick<PropertyDetail, "history" | "earlierOffers"> {
  const earlierOffers = history.length - NEWEST_OFFERS;
  // One more offer takes no more space than a note that there is one.
  if (earlierOffers <= 1) return { history };
  const before = history.slice(0, earlierOffers);
  const lastPriced = before.findLastIndex(({ price }) => typeof price === "number");
  return { history: history.slice(lastPriced < 0 ? earlierOffers - 1 : lastPriced), earlierOffers };
}

/** Returns when a home that was reserved or sold came back on sale; undefined if it never was, or still is. */
export function forSaleAgainSince(history: readonly HistoryEntry[]): string | undefined {
  const lastUnavailable = history.findLastIndex(({ status }) => status !== "for_sale");
  return lastUnavailable < 0 ? undefined : history[lastUnavailable + 1]?.at;
}
