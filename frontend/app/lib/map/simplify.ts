type Corner = readonly [x: number, y: number];

/** Twice the area of the triangle that a corner makes with its neighbours. */
function weight(before: Corner, corner: Corner, after: Corner): number {
  return Math.abs(
    (corner[0] - before[0]) * (after[1] - before[1]) -
      (after[0] - before[0]) * (corner[1] - before[1]),
  );
}

/**
 * A line with fewer corners: the one that changes the drawn shape least goes first (Visvalingam and
 * Whyatt), until at most `most` are left and none of them matters less than `least` (twice the area
 * of its triangle, in the line's own units). The ends stay; of a closed line, given without its
 * first corner repeated, any corner may go, down to three.
 */
export function simplify<Line extends Corner>(
  line: readonly Line[],
  { most, least, closed = false }: { most: number; least: number; closed?: boolean },
): Line[] {
  const left = [...line];
  const fewest = closed ? 3 : 2;
  while (left.length > fewest) {
    let slightest = -1;
    let its = Number.POSITIVE_INFINITY;
    const last = left.length - 1;
    for (let at = closed ? 0 : 1; at <= (closed ? last : last - 1); at++) {
      const before = left[at === 0 ? last : at - 1] as Line;
      const after = left[at === last ? 0 : at + 1] as Line;
      const here = weight(before, left[at] as Line, after);
      if (here < its) [slightest, its] = [at, here];
    }
    if (slightest < 0 || (its >= least && left.length <= most)) break;
    left.splice(slightest, 1);
  }
  return left;
}
