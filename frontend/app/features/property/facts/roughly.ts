import type { Spot } from "#app/lib/map/projection.ts";

/** About a kilometre: enough to find the neighbourhood, too little to find the door. */
export function roughly({ lat, lng }: Spot): Spot {
  return { lat: Math.round(lat * 100) / 100, lng: Math.round(lng * 100) / 100 };
}
