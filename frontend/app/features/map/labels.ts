import { type Point, project, type Spot } from "#app/lib/map/projection.ts";
import { TOWNS } from "#app/lib/map/towns.ts";
import { type Camera, type Size, toScreen } from "./camera.ts";
import { halfOf } from "./gather.ts";
import type { Cluster, Pin } from "./map-query.ts";
import { MUNICIPALITIES } from "./municipalities.gen.ts";

export interface Label extends Spot {
  readonly name: string;
  /** A town, which has a dot, or a municipality, which has its borders. */
  readonly town: boolean;
  /** How far below its spot it stands, in pixels. */
  readonly below: number;
}

/** On the screen: its middle and half of its width and height. */
interface Box extends Point {
  readonly halfWidth: number;
  readonly halfHeight: number;
}

const TOWN_NAMES = new Set(TOWNS.map(({ name }) => name));
/** Where a name may stand, below its spot: the first place that is free. */
const BESIDE_DOT = [-15, 15, -32, 32];
const IN_BORDERS = [0, 30, -30];
const LABELS = [
  ...TOWNS.map(({ name, lng, lat, ashore }) => ({
    ...{ name, lng, lat, town: true },
    places: ashore ? BESIDE_DOT.map((place) => -place) : BESIDE_DOT,
  })),
  ...MUNICIPALITIES.filter(([name]) => !TOWN_NAMES.has(name)).map(([name, lng, lat]) => ({
    ...{ name, lng, lat, town: false },
    places: IN_BORDERS,
  })),
];

/** Where the sea may have its name, off Torrox: the free place that is nearest to the shore. */
const OFFSHORE = [36.69, 36.67, 36.65, 36.63].map((lat) => ({ lat, lng: -3.9 }));

/** Half the width of a letter and half the height of a line, in pixels; the sea's are larger. */
const HALF_LETTER = 3.3;
const HALF_LINE = 9;
const SEA_HALF_LETTER = 5;
const SEA_HALF_LINE = 13;
/** Between two names; a marker may stand closer. */
const AIR = 12;

/** The buttons in the map's upper corners. */
const buttons = ({ width }: Size): Box[] => [
  { x: 80, y: 34, halfWidth: 80, halfHeight: 34 },
  { x: width - 36, y: 80, halfWidth: 36, halfHeight: 80 },
];

interface Roomy {
  readonly labels: readonly Label[];
  /** Where the sea has its name. */
  readonly offshore: Spot | undefined;
}

/**
 * The names that have room, in their order: none on another, on a marker, or cut off at the edge.
 * A town whose name has none is left out with its dot.
 */
export function roomyLabels(
  camera: Camera,
  size: Size,
  markers: readonly (Cluster | Pin)[],
  sea: string,
): Roomy {
  const at = (spot: Spot) => toScreen(camera, size, project(spot));
  const taken = [
    ...buttons(size),
    ...markers.map((home): Box => {
      const [{ x, y }, half] = [at(home), halfOf(home)];
      return { x, y: y - half.up, halfWidth: half.x, halfHeight: half.y };
    }),
  ];
  const free = (box: Box) => inside(box, size) && taken.every((other) => apart(other, box));
  const labels = LABELS.flatMap(({ places, ...label }) => {
    const { x, y } = at(label);
    const half = { halfWidth: label.name.length * HALF_LETTER, halfHeight: HALF_LINE };
    const below = places.find((place) => free({ x, y: y + place, ...half }));
    if (below === undefined) return [];
    const { halfWidth, halfHeight } = half;
    taken.push({ x, y: y + below, halfWidth: halfWidth + AIR, halfHeight: halfHeight + AIR });
    return [{ ...label, below }];
  });
  const seaHalf = { halfWidth: sea.length * SEA_HALF_LETTER, halfHeight: SEA_HALF_LINE };
  const offshore = OFFSHORE.find((spot) => free({ ...at(spot), ...seaHalf }));
  return { labels, offshore };
}

function inside({ x, y, halfWidth, halfHeight }: Box, { width, height }: Size): boolean {
  return x > halfWidth && x < width - halfWidth && y > halfHeight && y < height - halfHeight;
}

function apart(other: Box, box: Box): boolean {
  return (
    Math.abs(other.x - box.x) > other.halfWidth + box.halfWidth ||
    Math.abs(other.y - box.y) > other.halfHeight + box.halfHeight
  );
}
