import { type Bounds, boundsOf, project, worldSize } from "#app/lib/map/projection.ts";
import { readArea } from "#app/lib/search/search-area.ts";

/** Around homes and areas that are fitted, in pixels: room for the markers and for the buttons. */
export const PADDING = 56;
/** How much of what a tall map has to spare goes to the hills above the homes, rather than to the sea. */
export const UP = 0.7;
/** Nearer there is nothing more to see: homes are told to within some hundred metres. */
export const MOST_ZOOM = 16;
/** Before the first homes are here: the coast between Torre del Mar and Nerja. */
export const START: Bounds = { west: -4.12, south: 36.71, east: -3.8, north: 36.87 };

/** A narrow phone's map, less its padding: what is gathered for it stands apart on any other. */
const LEAST = { width: 260, height: 400 };
const TILE = 256;

/** The zoom at which bounds fill a phone's map: how homes are gathered before a map has a size. */
export function phoneZoom({ west, south, east, north }: Bounds): number {
  const [from, to] = [project({ lat: north, lng: west }), project({ lat: south, lng: east })];
  const world = Math.min(
    LEAST.width / Math.max(to.x - from.x, Number.EPSILON),
    LEAST.height / Math.max(to.y - from.y, Number.EPSILON),
  );
  return Math.min(Math.log2(world / TILE), MOST_ZOOM);
}

interface Room {
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly left: number;
}

/** The room around homes that are fitted into a map of a size: on a telephone's, less sea is seen. */
export function roomAround(
  { west, south, east, north }: Bounds,
  map: { readonly clientWidth: number; readonly clientHeight: number },
): Room {
  const [from, to] = [project({ lat: north, lng: west }), project({ lat: south, lng: east })];
  const [width, height] = [map.clientWidth - 2 * PADDING, map.clientHeight - 2 * PADDING];
  const world = Math.min(
    width / Math.max(to.x - from.x, Number.EPSILON),
    height / Math.max(to.y - from.y, Number.EPSILON),
    worldSize(MOST_ZOOM),
  );
  const spare = Math.max(height - (to.y - from.y) * world, 0);
  return { top: PADDING + spare * UP, right: PADDING, bottom: PADDING, left: PADDING };
}

/** The stretch that the area of an address lies in. */
export function areaBounds(text: string | undefined): Bounds | undefined {
  return boundsOf(readArea(text));
}
