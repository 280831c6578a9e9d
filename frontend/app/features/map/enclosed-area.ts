import { type Point, type Spot, unproject } from "#app/lib/map/projection.ts";
import { simplify } from "#app/lib/map/simplify.ts";
import { MAX_CORNERS, MIN_CORNERS } from "#app/lib/search/search-area.ts";

/** A bend that covers fewer square pixels comes from an unsteady hand. An area has to be larger as well. */
const MIN_AREA = 24;

/**
 * Returns the area that a line on the map encloses, with as few corners as its shape needs, or undefined if
 * it encloses none. `line` is in the unit square of the Web Mercator projection, `world` is its width in
 * pixels.
 */
export function enclosedArea(line: readonly Point[], world: number): Spot[] | undefined {
  const pixels = line.map(({ x, y }) => [x * world, y * world] as const);
  const ring = simplify(pixels, { most: MAX_CORNERS, least: MIN_AREA, closed: true });
  if (ring.length < MIN_CORNERS || Math.abs(twiceArea(ring)) < MIN_AREA) return undefined;
  return ring.map(([x, y]) => unproject({ x: x / world, y: y / world }));
}

function twiceArea(ring: readonly (readonly [number, number])[]): number {
  return ring.reduce((sum, [x, y], at) => {
    const [nextX, nextY] = ring[(at + 1) % ring.length] ?? [x, y];
    return sum + x * nextY - nextX * y;
  }, 0);
}
