import { type Bounds, boundsOf, project, worldSize } from "#app/lib/map/projection.ts";
import { parseArea } from "#app/lib/search/search-area.ts";

/** The space to keep clear within the edges of a map, in pixels. */
export interface Padding {
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly left: number;
}

const NO_PADDING: Padding = { top: 0, right: 0, bottom: 0, left: 0 };
/**
 * The padding around homes and areas that are fitted into the map: space for the markers, and at the top
 * and on the right for the buttons too. A price marker stands above its point, and is as wide as one or two
 * buttons.
 */
const FIT_PADDING: Padding = { top: 96, right: 96, bottom: 40, left: 40 };

/** Returns the padding around bounds: none if they fill the map to its edge. */
export function paddingAround(toTheEdge: boolean): Padding {
  return toTheEdge ? NO_PADDING : FIT_PADDING;
}

/**
 * The maximum zoom at which homes are shown. More would show nothing new: positions are exact to some
 * hundred metres only.
 */
export const MAX_ZOOM = 16;
/** How much further a visitor may zoom into a base map of streets. */
export const STREETS_ZOOM = 2;
/** The bounds before the first homes have arrived: the coast between Torre del Mar and Nerja. */
export const START: Bounds = { west: -4.12, south: 36.71, east: -3.8, north: 36.87 };

/**
 * The map of a narrow phone without its padding. Markers that are clustered for it don't overlap on any
 * other.
 */
const MIN_MAP_SIZE = { width: 236, height: 376 };

/**
 * Returns the zoom at which bounds fill a phone's map. Homes are clustered for it before the map's size is
 * known.
 */
export function phoneZoom({ west, south, east, north }: Bounds): number {
  const [from, to] = [project({ lat: north, lng: west }), project({ lat: south, lng: east })];
  const world = Math.min(
    MIN_MAP_SIZE.width / Math.max(to.x - from.x, Number.EPSILON),
    MIN_MAP_SIZE.height / Math.max(to.y - from.y, Number.EPSILON),
  );
  return Math.min(Math.log2(world / worldSize(0)), MAX_ZOOM);
}

/** Returns the bounds of the area in an address. */
export function areaBounds(text: string | undefined): Bounds | undefined {
  return boundsOf(parseArea(text));
}
