import type { Bounds } from "#app/lib/map/projection.ts";
import { MAX_ZOOM } from "./bounds.ts";
import type { LiveMap } from "./engine.ts";

/** MapLibre counts tiles of 512 pixels, the API and addresses count tiles of 256. */
const ZOOM_OFFSET = 1;

/** As near as MapLibre is led to homes. */
export const NEAREST_ZOOM = MAX_ZOOM - ZOOM_OFFSET;

/** How near the map is, as the API counts it. */
export function apiZoom(map: LiveMap): number {
  return map.getZoom() + ZOOM_OFFSET;
}

/** Bounds as MapLibre takes them. */
export function lngLats({ west, south, east, north }: Bounds): [number, number, number, number] {
  return [west, south, east, north];
}
