import type { ListingStatus } from "#app/lib/api/types.ts";

/** What a home is offered at. */
export interface Offer {
  /** Euros; none where it is told on request. */
  readonly price: number | null;
  readonly status: ListingStatus;
}

export function offerOf(home: { price?: number | null; status: ListingStatus }): Offer {
  return { price: home.price ?? null, status: home.status };
}
