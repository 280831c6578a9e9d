import type { ListingStatus } from "#app/lib/api/types.ts";

/** The price and status at which a home is offered. */
export interface Offer {
  /** In euros; null for "price on request". */
  readonly price: number | null;
  readonly status: ListingStatus;
}

export function offerOf(home: { price?: number | null; status: ListingStatus }): Offer {
  return { price: home.price ?? null, status: home.status };
}
