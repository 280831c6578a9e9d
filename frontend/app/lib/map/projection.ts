/** A coordinate on the Earth, in degrees. */
export interface Spot {
  readonly lat: number;
  readonly lng: number;
}

/** A rectangle on the Earth, in degrees. It never crosses the date line. */
export interface Bounds {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

/** A point on the Web Mercator square: 0…1 from west to east and from north to south. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** The width of the world at zoom 0, in pixels. */
const TILE = 256;

/** Projects a coordinate to Web Mercator. */
export function project({ lat, lng }: Spot): Point {
  const sine = Math.sin((lat * Math.PI) / 180);
  return {
    x: (lng + 180) / 360,
    y: 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI),
  };
}

/** Returns the coordinate of a Web Mercator point. */
export function unproject({ x, y }: Point): Spot {
  return {
    lat: (Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180) / Math.PI,
    lng: x * 360 - 180,
  };
}

/** Returns the width of the world in pixels at a zoom level, which may be fractional. */
export function worldSize(zoom: number): number {
  return TILE * 2 ** zoom;
}

/** Returns the smallest bounds that contain all coordinates, or undefined if there are none. */
export function boundsOf(spots: readonly Spot[]): Bounds | undefined {
  if (spots.length === 0) return undefined;
  const bounds = { west: 180, south: 90, east: -180, north: -90 };
  for (const { lat, lng } of spots) {
    bounds.west = Math.min(bounds.west, lng);
    bounds.east = Math.max(bounds.east, lng);
    bounds.south = Math.min(bounds.south, lat);
    bounds.north = Math.max(bounds.north, lat);
  }
  return bounds;
}

/** Returns whether a coordinate is within bounds, edges included. */
export function within({ west, south, east, north }: Bounds, { lat, lng }: Spot): boolean {
  return lng >= west && lng <= east && lat >= south && lat <= north;
}
