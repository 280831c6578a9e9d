import type { Bounds } from "#app/lib/map/projection.ts";
import { MAX_ZOOM, type Padding, paddingAround } from "./bounds.ts";
import type { LiveMap } from "./engine.ts";

/** MapLibre's zoom is based on tiles of 512 pixels, that of the API and of addresses on tiles of 256. */
const ZOOM_OFFSET = 1;

/** The maximum zoom to which MapLibre is moved to show homes. */
export const NEAREST_ZOOM = MAX_ZOOM - ZOOM_OFFSET;

/** Returns the zoom of the map as defined by the API. */
export function apiZoom(map: LiveMap): number {
  return map.getZoom() + ZOOM_OFFSET;
}

/** Converts bounds for MapLibre. */
export function lngLats({ west, south, east, north }: Bounds): [number, number, number, number] {
  return [west, south, east, north];
}

/**
 * Returns how MapLibre fits bounds into the map. Bounds that fill the map to its edge are a view that a
 * visitor chose, and are shown as near as that.
 */
export function fitOptions(toTheEdge: boolean): { padding: Padding; maxZoom?: number } {
  const padding = paddingAround(toTheEdge);
  return toTheEdge ? { padding } : { padding, maxZoom: NEAREST_ZOOM };
}
