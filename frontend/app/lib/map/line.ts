import type { Point, Spot } from "./projection.ts";
import { GRID } from "./shore.gen.ts";

/** Converts a line that is encoded as steps on the grid to coordinates. */
export function spotsOf(steps: readonly number[]): Spot[] {
  const spots: Spot[] = [];
  let x = 0;
  let y = 0;
  for (let at = 0; at + 1 < steps.length; at += 2) {
    x += steps[at] ?? 0;
    y += steps[at + 1] ?? 0;
    spots.push({ lng: GRID.west + x * GRID.width, lat: GRID.south + y * GRID.height });
  }
  return spots;
}

/**
 * Returns a line as an SVG path with rounded corners, with `decimals` decimals. Each corner becomes a curve
 * from the middle of one side to the middle of the next, so that lines which share an end still meet there.
 */
export function roundedPath(line: readonly Point[], decimals = 1): string {
  const [first, ...rest] = line;
  const last = rest.pop();
  if (!first || !last) return "";
  const at = ({ x, y }: Point) => `${Number(x.toFixed(decimals))} ${Number(y.toFixed(decimals))}`;
  const curves = rest.map((corner, index) => {
    const next = rest[index + 1] ?? last;
    const middle = { x: (corner.x + next.x) / 2, y: (corner.y + next.y) / 2 };
    return `Q${at(corner)} ${at(middle)}`;
  });
  return `M${at(first)}${curves.join("")}L${at(last)}`;
}

/** The positions on a corner's curve at which a rounded line has its points. */
const SHARES = [0, 0.25, 0.5, 0.75, 1];

/** Returns the same curves as points, for renderers that draw only straight lines. */
export function roundedLine(line: readonly Spot[]): Spot[] {
  const [first, ...rest] = line;
  const last = rest.pop();
  if (!first || !last) return [...line];
  const between = (a: Spot, b: Spot, share: number): Spot => ({
    lat: a.lat + (b.lat - a.lat) * share,
    lng: a.lng + (b.lng - a.lng) * share,
  });
  const curves = rest.flatMap((corner, index) => {
    const before = rest[index - 1];
    const from = before ? between(before, corner, 0.5) : first;
    const to = between(corner, rest[index + 1] ?? last, 0.5);
    return SHARES.map((share) =>
      between(between(from, corner, share), between(corner, to, share), share),
    );
  });
  return [first, ...curves, last];
}
