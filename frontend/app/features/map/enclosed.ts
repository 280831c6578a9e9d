import { type Point, type Spot, unproject } from "#app/lib/map/projection.ts";
import { simplify } from "#app/lib/map/simplify.ts";
import { MIN_CORNERS, MAX_CORNERS } from "#app/lib/search/search-area.ts";

/** A bend that covers no more than so many square pixels comes from a trembling hand. */
const TREMBLE = 24;

/**
 * The area that a line on the map encloses, in as few corners as tell its shape; nothing where it
 * encloses none. `line` is on the Web Mercator square, `world` that square's width in pixels.
 */
export function enclosed(line: readonly Point[], world: number): Spot[] | undefined {
  const pixels = line.map(({ x, y }) => [x * world, y * world] as const);
  const ring = simplify(pixels, { most: MAX_CORNERS, least: TREMBLE, closed: true });
  if (ring.length < MIN_CORNERS || Math.abs(twiceArea(ring)) < TREMBLE) return undefined;
  return ring.map(([x, y]) => unproject({ x: x / world, y: y / world }));
}

function twiceArea(ring: readonly (readonly [number, number])[]): number {
  return ring.reduce((sum, [x, y], at) => {
    const [nextX, nextY] = ring[(at + 1) % ring.length] ?? [x, y];
    return sum + x * nextY - nextX * y;
  }, 0);
}
