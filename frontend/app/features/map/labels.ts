import { type Point, project, type Spot } from "#app/lib/map/projection.ts";
import { TOWNS } from "#app/lib/map/towns.ts";
import { type Camera, type Size, toScreen } from "./camera.ts";
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

/** Half the width of a letter and half the height of a line, in pixels. */
const HALF_LETTER = 3.3;
const HALF_LINE = 9;
/** Between two names; a marker may stand closer. */
const AIR = 12;
const MARKER: Omit<Box, "x" | "y"> = { halfWidth: 24, halfHeight: 18 };

/** The buttons in the map's upper corners. */
const buttons = ({ width }: Size): Box[] => [
  { x: 80, y: 34, halfWidth: 80, halfHeight: 34 },
  { x: width - 36, y: 80, halfWidth: 36, halfHeight: 80 },
];

/**
 * The names that have room, in their order: none on another, on a marker, or cut off at the edge.
 * A town whose name has none is left out with its dot.
 */
export function roomyLabels(camera: Camera, size: Size, markers: readonly Spot[]): Label[] {
  const shown = markers.map((spot) => ({ ...toScreen(camera, size, project(spot)), ...MARKER }));
  const taken: Box[] = [...buttons(size), ...shown];
  return LABELS.flatMap(({ places, ...label }) => {
    const { x, y } = toScreen(camera, size, project(label));
    const box = { x, halfWidth: label.name.length * HALF_LETTER, halfHeight: HALF_LINE };
    const below = places.find(
      (place) =>
        inside({ ...box, y: y + place }, size) &&
        taken.every((other) => apart(other, box, y + place)),
    );
    if (below === undefined) return [];
    const { halfWidth, halfHeight } = box;
    taken.push({ x, y: y + below, halfWidth: halfWidth + AIR, halfHeight: halfHeight + AIR });
    return [{ ...label, below }];
  });
}

function inside({ x, y, halfWidth, halfHeight }: Box, { width, height }: Size): boolean {
  return x > halfWidth && x < width - halfWidth && y > halfHeight && y < height - halfHeight;
}

function apart(other: Box, box: Omit<Box, "y">, y: number): boolean {
  return (
    Math.abs(other.x - box.x) > other.halfWidth + box.halfWidth ||
    Math.abs(other.y - y) > other.halfHeight + box.halfHeight
  );
}
