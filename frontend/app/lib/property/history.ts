import type { HistoryEntry, PropertyDetail } from "#app/lib/api/types.ts";

/** As much of a property's history as its page shows before more of it is asked for. */
export const NEWEST_OFFERS = 3;

/**
 * A long history, which the document would carry twice, without its beginning; how much that is is said
 * beside it. With the newest offers goes the one before them, or the last before whose price was told:
 * it is what the oldest of them is compared with.
 */
export function newestOf(
  history: HistoryEntry[],
): Pick<PropertyDetail, "history" | "earlierOffers"> {
  const earlierOffers = history.length - NEWEST_OFFERS;
  // One more takes no more room than to say that there is one.
  if (earlierOffers <= 1) return { history };
  const before = history.slice(0, earlierOffers);
  const lastTold = before.findLastIndex(({ price }) => typeof price === "number");
  return { history: history.slice(lastTold < 0 ? earlierOffers - 1 : lastTold), earlierOffers };
}

/** Since when a home is for sale again that was reserved or sold before; nothing where it never was, or still is. */
export function forSaleAgainSince(history: readonly HistoryEntry[]): string | undefined {
  const taken = history.findLastIndex(({ status }) => status !== "for_sale");
  return taken < 0 ? undefined : history[taken + 1]?.at;
}
