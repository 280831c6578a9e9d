import { type Bounds, boundsOf, project, worldSize } from "#app/lib/map/projection.ts";
import { readArea } from "#app/lib/search/search-area.ts";

/** What is kept clear within a map's edges, in pixels. */
export interface Padding {
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly left: number;
}

const NONE: Padding = { top: 0, right: 0, bottom: 0, left: 0 };
/**
 * Around homes and areas that are fitted: room for the markers, and above and on the right for the buttons
 * too. A price stands above its point, and is as wide as a button or two.
 */
const AROUND: Padding = { top: 96, right: 96, bottom: 40, left: 40 };

/** What is kept clear around bounds, unless they fill the map to its edge. */
export function paddingAround(toTheEdge: boolean): Padding {
  return toTheEdge ? NONE : AROUND;
}

/** Nearer there is nothing more to see: homes are told to within some hundred metres. */
export const MAX_ZOOM = 16;
/** Before the first homes are here: the coast between Torre del Mar and Nerja. */
export const START: Bounds = { west: -4.12, south: 36.71, east: -3.8, north: 36.87 };

/** A narrow phone's map, less its padding: what is gathered for it stands apart on any other. */
const LEAST = { width: 236, height: 376 };

/** The zoom at which bounds fill a phone's map: how homes are gathered before a map has a size. */
export function phoneZoom({ west, south, east, north }: Bounds): number {
  const [from, to] = [project({ lat: north, lng: west }), project({ lat: south, lng: east })];
  const world = Math.min(
    LEAST.width / Math.max(to.x - from.x, Number.EPSILON),
    LEAST.height / Math.max(to.y - from.y, Number.EPSILON),
  );
  return Math.min(Math.log2(world / worldSize(0)), MAX_ZOOM);
}

/** The stretch that the area of an address lies in. */
export function areaBounds(text: string | undefined): Bounds | undefined {
  return boundsOf(readArea(text));
}
