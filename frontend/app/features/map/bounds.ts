import { type Bounds, boundsOf, project, worldSize } from "#app/lib/map/projection.ts";
import { readArea } from "#app/lib/search/search-area.ts";

/** Around homes and areas that are fitted, in pixels: room for the markers and for the buttons. */
export const PADDING = 56;
/** Nearer there is nothing more to see: homes are told to within some hundred metres. */
export const MOST_ZOOM = 16;
/** Before the first homes are here: the coast between Torre del Mar and Nerja. */
export const START: Bounds = { west: -4.12, south: 36.71, east: -3.8, north: 36.87 };

/** A narrow phone's map, less its padding: what is gathered for it stands apart on any other. */
const LEAST = { width: 260, height: 400 };

/** The zoom at which bounds fill a phone's map: how homes are gathered before a map has a size. */
export function phoneZoom({ west, south, east, north }: Bounds): number {
  const [from, to] = [project({ lat: north, lng: west }), project({ lat: south, lng: east })];
  const world = Math.min(
    LEAST.width / Math.max(to.x - from.x, Number.EPSILON),
    LEAST.height / Math.max(to.y - from.y, Number.EPSILON),
  );
  return Math.min(Math.log2(world / worldSize(0)), MOST_ZOOM);
}

/** The stretch that the area of an address lies in. */
export function areaBounds(text: string | undefined): Bounds | undefined {
  return boundsOf(readArea(text));
}
