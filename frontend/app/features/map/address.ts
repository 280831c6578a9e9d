import {
  type Bounds,
  boundsOf,
  type Point,
  type Spot,
  unproject,
} from "#app/lib/map/projection.ts";
import { simplify } from "#app/lib/map/simplify.ts";

/** The API takes no area with more corners. */
export const MOST_CORNERS = 60;
export const FEWEST_CORNERS = 3;
/** Some ten metres: enough, and addresses stay short. */
const DIGITS = 4;
/** A bend that covers no more than so many square pixels comes from a trembling hand. */
const TREMBLE = 24;

const degrees = (value: number) => String(Number(value.toFixed(DIGITS)));

/** A stretch of the Earth as addresses say it: `west,south,east,north`. */
export function bboxText({ west, south, east, north }: Bounds): string {
  return [west, south, east, north].map(degrees).join(",");
}

/** The stretch that an address says; nothing for what is none. */
export function readBbox(text: string | undefined): Bounds | undefined {
  const [west, south, east, north] = numbers(text ?? "", 4) ?? [];
  if (west === undefined || south === undefined || east === undefined || north === undefined) {
    return undefined;
  }
  return west < east && south < north ? { west, south, east, north } : undefined;
}

/** An area as addresses say it, no corner twice in a row: `lng,lat;lng,lat;…`. */
export function areaText(corners: readonly Spot[]): string {
  return corners
    .map(({ lng, lat }) => `${degrees(lng)},${degrees(lat)}`)
    .filter((corner, at, all) => corner !== (at === 0 && all.length > 1 ? all.at(-1) : all[at - 1]))
    .join(";");
}

/** The corners that an address says; none for what is no area. */
export function readArea(text: string | undefined): Spot[] {
  const corners = (text ?? "").split(";").flatMap((corner) => {
    const [lng, lat] = numbers(corner, 2) ?? [];
    return lng === undefined || lat === undefined ? [] : [{ lng, lat }];
  });
  return corners.length < FEWEST_CORNERS ? [] : corners;
}

/** The stretch that an area lies in. */
export function areaBounds(text: string | undefined): Bounds | undefined {
  return boundsOf(readArea(text));
}

/**
 * The area that a line on the map encloses, in as few corners as tell its shape; nothing where it
 * encloses none. `line` is on the Web Mercator square, `world` that square's width in pixels.
 */
export function enclosed(line: readonly Point[], world: number): Spot[] | undefined {
  const pixels = line.map(({ x, y }) => [x * world, y * world] as const);
  const ring = simplify(pixels, { most: MOST_CORNERS, least: TREMBLE, closed: true });
  if (ring.length < FEWEST_CORNERS || Math.abs(twiceArea(ring)) < TREMBLE) return undefined;
  return ring.map(([x, y]) => unproject({ x: x / world, y: y / world }));
}

function twiceArea(ring: readonly (readonly [number, number])[]): number {
  return ring.reduce((sum, [x, y], at) => {
    const [nextX, nextY] = ring[(at + 1) % ring.length] ?? [x, y];
    return sum + x * nextY - nextX * y;
  }, 0);
}

function numbers(text: string, count: number): number[] | undefined {
  const values = text.split(",").map((part) => (part.trim() === "" ? Number.NaN : Number(part)));
  return values.length === count && values.every(Number.isFinite) ? values : undefined;
}
