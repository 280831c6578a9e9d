/** The direction of each arrow key. */
export const DIRECTIONS: Readonly<Record<string, readonly [right: number, down: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/**
 * Returns the marker that an arrow key moves to: the nearest in its direction from the focused one.
 * Distance to the side counts twice. Returns null if there is no marker in that direction, and undefined
 * for other keys.
 */
export function nextMarker(
  from: HTMLElement,
  markers: Iterable<HTMLElement>,
  key: string,
): HTMLElement | null | undefined {
  const direction = DIRECTIONS[key];
  if (!direction) return undefined;
  const here = middle(from);
  let nearest: HTMLElement | null = null;
  let shortest = Number.POSITIVE_INFINITY;
  for (const marker of markers) {
    const there = middle(marker);
    const [right, down] = [there.x - here.x, there.y - here.y];
    const ahead = right * direction[0] + down * direction[1];
    const aside = Math.abs(right * direction[1]) + Math.abs(down * direction[0]);
    if (marker === from || ahead < 1) continue;
    const distance = ahead + 2 * aside;
    if (distance < shortest) [nearest, shortest] = [marker, distance];
  }
  return nearest;
}

function middle(element: HTMLElement): { x: number; y: number } {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2 };
}
