import type { Spot } from "#app/lib/map/projection.ts";

/** Rounds coordinates to about a kilometre: enough to find the neighbourhood, but not the house. */
export function approximateSpot({ lat, lng }: Spot): Spot {
  return { lat: Math.round(lat * 100) / 100, lng: Math.round(lng * 100) / 100 };
}
