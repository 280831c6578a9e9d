import {
  type Bounds,
  type Point,
  project,
  unproject,
  worldSize,
  zoomOf,
} from "#app/lib/map/projection.ts";

/** Where the middle of the map is, on the Web Mercator square, and how near. */
export interface Camera extends Point {
  readonly zoom: number;
}

/** Of the map on the screen, in pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Nearer there is nothing more to see: homes are told to within some hundred metres. */
export const MOST_ZOOM = 16;
/** Around what is fitted, in pixels: room for the markers at its edge, and for the buttons. */
const PADDING = 56;

/** The pixel of a point, from the map's upper left corner. */
export function toScreen({ x, y, zoom }: Camera, size: Size, point: Point): Point {
  const world = worldSize(zoom);
  return {
    x: size.width / 2 + (point.x - x) * world,
    y: size.height / 2 + (point.y - y) * world,
  };
}

/** The point under a pixel. */
export function fromScreen({ x, y, zoom }: Camera, size: Size, pixel: Point): Point {
  const world = worldSize(zoom);
  return {
    x: x + (pixel.x - size.width / 2) / world,
    y: y + (pixel.y - size.height / 2) / world,
  };
}

/** The camera after the ground was pushed by so many pixels. */
export function pushed({ x, y, zoom }: Camera, by: Point): Camera {
  const world = worldSize(zoom);
  return { x: x - by.x / world, y: y - by.y / world, zoom };
}

/** Nearer or farther, with what is under a pixel staying there. */
export function zoomedAt(camera: Camera, size: Size, zoom: number, pixel: Point): Camera {
  const point = fromScreen(camera, size, pixel);
  const world = worldSize(zoom);
  return {
    x: point.x - (pixel.x - size.width / 2) / world,
    y: point.y - (pixel.y - size.height / 2) / world,
    zoom,
  };
}

/** The nearest camera that shows all of the bounds. */
export function fitted(bounds: Bounds, size: Size): Camera {
  const [from, to] = corners(bounds);
  const world = Math.min(
    Math.max(size.width - 2 * PADDING, PADDING) / Math.max(to.x - from.x, Number.EPSILON),
    Math.max(size.height - 2 * PADDING, PADDING) / Math.max(to.y - from.y, Number.EPSILON),
  );
  const zoom = Math.min(zoomOf(world), MOST_ZOOM);
  return { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2, zoom };
}

/** The stretch of the Earth that is seen. */
export function seen(camera: Camera, size: Size): Bounds {
  const northWest = unproject(fromScreen(camera, size, { x: 0, y: 0 }));
  const southEast = unproject(fromScreen(camera, size, { x: size.width, y: size.height }));
  return {
    west: northWest.lng,
    south: southEast.lat,
    east: southEast.lng,
    north: northWest.lat,
  };
}

/** The camera kept to where there is ground to see, and no nearer than is of use. */
export function held(camera: Camera, size: Size, frame: Bounds): Camera {
  const [from, to] = corners(frame);
  const least = zoomOf(Math.max(size.width / (to.x - from.x), size.height / (to.y - from.y)));
  const zoom = Math.max(Math.min(camera.zoom, MOST_ZOOM), least);
  const world = worldSize(zoom);
  const [halfWidth, halfHeight] = [size.width / 2 / world, size.height / 2 / world];
  return {
    x: Math.min(Math.max(camera.x, from.x + halfWidth), to.x - halfWidth),
    y: Math.min(Math.max(camera.y, from.y + halfHeight), to.y - halfHeight),
    zoom,
  };
}

/** The way from one camera to another, a share (0…1) of it gone: as if drawn to a fixed point. */
export function between(from: Camera, to: Camera, share: number): Camera {
  const zoom = from.zoom + (to.zoom - from.zoom) * share;
  const whole = 1 - 2 ** (from.zoom - to.zoom);
  const gone = Math.abs(whole) < 1e-6 ? share : (1 - 2 ** (from.zoom - zoom)) / whole;
  return { x: from.x + (to.x - from.x) * gone, y: from.y + (to.y - from.y) * gone, zoom };
}

function corners({ west, south, east, north }: Bounds): [northWest: Point, southEast: Point] {
  return [project({ lat: north, lng: west }), project({ lat: south, lng: east })];
}
