type Corner = readonly [x: number, y: number];

/** Returns twice the area of the triangle that a corner makes with its neighbours. */
function weight(before: Corner, corner: Corner, after: Corner): number {
  return Math.abs(
    (corner[0] - before[0]) * (after[1] - before[1]) -
      (after[0] - before[0]) * (corner[1] - before[1]),
  );
}

/**
 * Removes corners from a line, beginning with the one that changes the drawn shape least (Visvalingam and
 * Whyatt), until at most `most` are left and none has a weight below `least` (twice the area of its triangle,
 * in the line's own units). The ends stay. In a closed line, given without its first corner repeated, any
 * corner may be removed, down to three.
 */
export function simplify<Line extends Corner>(
  line: readonly Line[],
  { most, least, closed = false }: { most: number; least: number; closed?: boolean },
): Line[] {
  const remaining = [...line];
  const minCorners = closed ? 3 : 2;
  while (remaining.length > minCorners) {
    let lightest = -1;
    let lightestWeight = Number.POSITIVE_INFINITY;
    const last = remaining.length - 1;
    for (let at = closed ? 0 : 1; at <= (closed ? last : last - 1); at++) {
      const before = remaining[at === 0 ? last : at - 1] as Line;
      const after = remaining[at === last ? 0 : at + 1] as Line;
      const here = weight(before, remaining[at] as Line, after);
      if (here < lightestWeight) [lightest, lightestWeight] = [at, here];
    }
    if (lightest < 0 || (lightestWeight >= least && remaining.length <= most)) break;
    remaining.splice(lightest, 1);
  }
  return remaining;
}
