import type { Point } from "#app/lib/map/projection.ts";
import { TOWNS, type Town } from "#app/lib/map/towns.ts";
import { onSketch, SKETCH } from "./coast.ts";

/** Radius of the circle around the home, in units of the sketch: about one to two kilometres. */
export const HALO = 34;
/** Approximate space of a letter on the sketch at its largest font size. */
const LETTER = { width: 13, up: 20, down: 5 };

/** Radius of a town's dot. */
export const DOT = 3.5;

/** A name on the sketch, with the dot of the town it names. */
interface Landmark {
  readonly name: string;
  readonly dot?: Point;
  readonly x: number;
  readonly y: number;
  readonly anchor: "start" | "middle" | "end";
  /** Whether the name is drawn in the water, below a town on the shore. */
  readonly ashore?: boolean;
}

/**
 * Returns the names to draw around a home that lies in `places`, the nearest place first: the towns at their
 * dots, and at the home's mark the name of its place, or of the drawn town that this place belongs to.
 * A neighbouring town never counts as the home's own, however near it is.
 */
export function landmarksAround(home: Point, places: readonly string[]): Landmark[] {
  const [place] = places;
  const town = places.map((name) => TOWNS.find((town) => town.name === name)).find(Boolean);
  const spot = town && onSketch(town);
  const isInTown = spot !== undefined && Math.hypot(spot.x - home.x, spot.y - home.y) < HALO;
  const others = TOWNS.filter((each) => !(isInTown && each === town)).flatMap((each) => {
    const landmark = landmarkOf(each, home);
    return landmark ? [landmark] : [];
  });
  if (isInTown && town?.ashore) {
    const y = Math.max(home.y, spot.y) + 30;
    const own = { name: town.name, x: home.x, y, anchor: "middle", ashore: true } as const;
    return [own, ...others];
  }
  // A place that has its own dot further away is named at that dot.
  const name = isInTown ? town?.name : town?.name === place ? undefined : place;
  const candidates = name === undefined ? [] : namesAround(home, name).filter(fitsSketch);
  const own =
    candidates.find((each) => !others.some((other) => overlap(each, other))) ?? candidates[0];
  return own ? [own, ...others.filter((other) => !overlap(other, own))] : others;
}

/** Returns the possible positions of a name at the home's mark, the best first: above, below, or on one side. */
function namesAround({ x, y }: Point, name: string): Landmark[] {
  const onLine = (line: number): Landmark[] => [
    { name, x, y: line, anchor: "middle" },
    { name, x: Math.min(x + 11, SKETCH.width), y: line, anchor: "end" },
    { name, x: Math.max(x - 11, 0), y: line, anchor: "start" },
  ];
  return [
    ...onLine(y - 18),
    ...onLine(y + 34),
    { name, x: x - 18, y: y + 7, anchor: "end" },
    { name, x: x + 18, y: y + 7, anchor: "start" },
  ];
}

/** Places a town's name in the water below its dot, or on the side of the dot away from the home. */
function landmarkOf({ name, ashore, ...at }: Town, home: Point): Landmark | undefined {
  const dot = onSketch(at);
  if (!dot) return undefined;
  if (ashore) return { name, dot, x: dot.x, y: dot.y + 30, anchor: "middle", ashore };
  return home.x > dot.x
    ? { name, dot, x: dot.x - 10, y: dot.y + 7, anchor: "end" }
    : { name, dot, x: dot.x + 10, y: dot.y + 7, anchor: "start" };
}

/** Returns whether the name lies entirely on the sketch. */
function fitsSketch(landmark: Landmark): boolean {
  const { left, right, top, bottom } = boxOf(landmark);
  return left >= 0 && right <= SKETCH.width && top >= 0 && bottom <= SKETCH.height;
}

function overlap(one: Landmark, other: Landmark): boolean {
  const [a, b] = [boxOf(one), boxOf(other)];
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

/** Returns the bounding box of a name and its dot. */
function boxOf({ name, dot, x, y, anchor }: Landmark) {
  const width = name.length * LETTER.width;
  const left = x - { start: 0, middle: width / 2, end: width }[anchor];
  return {
    left: Math.min(left, dot ? dot.x - DOT : left),
    right: Math.max(left + width, dot ? dot.x + DOT : 0),
    top: Math.min(y - LETTER.up, dot ? dot.y - DOT : y),
    bottom: y + LETTER.down,
  };
}
