import { roundedPath, spotsOf } from "#app/lib/map/line.ts";
import { type Bounds, type Point, project, type Spot, within } from "#app/lib/map/projection.ts";
import { SHORE } from "#app/lib/map/shore.gen.ts";
import { roughly } from "./roughly.ts";

/** The stretch that the sketch shows: from Torre del Mar to the cliffs of Maro, and up to Cómpeta. */
const STRETCH: Bounds = { west: -4.16, south: 36.695, east: -3.765, north: 36.872 };
const WIDTH = 600;
const CORNER = project({ lat: STRETCH.north, lng: STRETCH.west });
const SCALE = WIDTH / (project({ lat: STRETCH.north, lng: STRETCH.east }).x - CORNER.x);

function place(spot: Spot): Point {
  const { x, y } = project(spot);
  return { x: (x - CORNER.x) * SCALE, y: (y - CORNER.y) * SCALE };
}

export const SKETCH = {
  width: WIDTH,
  height: Math.round(place({ lat: STRETCH.south, lng: STRETCH.east }).y),
};

/** Where a place stands on the sketch; nothing when it lies beyond it. */
export function onSketch(spot: Spot): Point | undefined {
  if (!within(STRETCH, spot)) return undefined;
  const { x, y } = place(spot);
  return { x: Math.round(x), y: Math.round(y) };
}

/** The sea, as a path: everything below the shore, which begins and ends beyond the sketch. */
export function seaPath(): string {
  const margin = 0.1;
  const near = spotsOf(SHORE).filter(
    ({ lng }) => lng > STRETCH.west - margin && lng < STRETCH.east + margin,
  );
  const below = SKETCH.height * 2;
  return `${roundedPath(near.map(place), 0)}V${below}H${-WIDTH}Z`;
}

/** The neighbourhood on OpenStreetMap. */
export function openStreetMapHref(spot: Spot): string {
  const { lat, lng } = roughly(spot);
  return `https://www.openstreetmap.org/#map=14/${lat.toFixed(2)}/${lng.toFixed(2)}`;
}
