import { roundedPath, spotsOf } from "#app/lib/map/line.ts";
import { type Bounds, type Point, project, type Spot, within } from "#app/lib/map/projection.ts";
import { SHORE } from "#app/lib/map/shore.gen.ts";
import { approximateSpot } from "./approximate-spot.ts";

/** The area that the sketch shows: from Torre del Mar to the cliffs of Maro, and up to Cómpeta. */
const AREA: Bounds = { west: -4.16, south: 36.695, east: -3.765, north: 36.872 };
const WIDTH = 600;
const CORNER = project({ lat: AREA.north, lng: AREA.west });
const SCALE = WIDTH / (project({ lat: AREA.north, lng: AREA.east }).x - CORNER.x);

function toSketch(spot: Spot): Point {
  const { x, y } = project(spot);
  return { x: (x - CORNER.x) * SCALE, y: (y - CORNER.y) * SCALE };
}

export const SKETCH = {
  width: WIDTH,
  height: Math.round(toSketch({ lat: AREA.south, lng: AREA.east }).y),
};

/** Returns the position of a place on the sketch; undefined if it lies outside. */
export function onSketch(spot: Spot): Point | undefined {
  if (!within(AREA, spot)) return undefined;
  const { x, y } = toSketch(spot);
  return { x: Math.round(x), y: Math.round(y) };
}

/** Returns the SVG path of the sea: everything below the shoreline, which starts and ends outside the sketch. */
export function seaPath(): string {
  const margin = 0.1;
  const shore = spotsOf(SHORE).filter(
    ({ lng }) => lng > AREA.west - margin && lng < AREA.east + margin,
  );
  const below = SKETCH.height * 2;
  return `${roundedPath(shore.map(toSketch), 0)}V${below}H${-WIDTH}Z`;
}

/** Returns a link to the neighbourhood on OpenStreetMap, with rounded coordinates. */
export function openStreetMapHref(spot: Spot): string {
  const { lat, lng } = approximateSpot(spot);
  return `https://www.openstreetmap.org/#map=14/${lat.toFixed(2)}/${lng.toFixed(2)}`;
}
