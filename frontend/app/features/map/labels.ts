import { project, type Spot } from "#app/lib/map/projection.ts";
import { TOWNS } from "#app/lib/map/towns.ts";
import { type Camera, type Size, toScreen } from "./camera.ts";
import { MUNICIPALITIES } from "./municipalities.gen.ts";

export interface Label extends Spot {
  readonly name: string;
  /** A town, which has a dot, or a municipality, which has its borders. */
  readonly town: boolean;
  /** Below its dot, in the water. */
  readonly ashore: boolean;
}

const TOWN_NAMES = new Set(TOWNS.map(({ name }) => name));
const LABELS: readonly Label[] = [
  ...TOWNS.map(({ ashore = false, ...town }) => ({ ...town, ashore, town: true })),
  ...MUNICIPALITIES.filter(([name]) => !TOWN_NAMES.has(name)).map(([name, lng, lat]) => ({
    ...{ name, lng, lat },
    town: false,
    ashore: false,
  })),
];

/** About the width of a letter and half the height of a line, in pixels, with air around. */
const LETTER = 6.6;
const HALF_HEIGHT = 16;
const AIR = 14;

/** The names that have room: in their order, each where none before it stands. */
export function roomyLabels(camera: Camera, size: Size): Label[] {
  const taken: { x: number; y: number; half: number }[] = [];
  return LABELS.filter((label) => {
    const { x, y } = toScreen(camera, size, project(label));
    const half = (label.name.length * LETTER) / 2 + AIR;
    if (x < half || x > size.width - half || y < HALF_HEIGHT || y > size.height - HALF_HEIGHT) {
      return false;
    }
    const free = taken.every(
      (other) =>
        Math.abs(other.x - x) > half + other.half || Math.abs(other.y - y) > 2 * HALF_HEIGHT,
    );
    if (free) taken.push({ x, y, half });
    return free;
  });
}
