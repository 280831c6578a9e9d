/** Where an arrow key leads. */
export const WAYS: Readonly<Record<string, readonly [right: number, down: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/**
 * The marker that an arrow key means: the nearest on its side of the one that has the focus, what is
 * straight ahead before what is aside. `null` where none lies that way, nothing for another key.
 */
export function nextOnTheWay(
  from: HTMLElement,
  markers: Iterable<HTMLElement>,
  key: string,
): HTMLElement | null | undefined {
  const way = WAYS[key];
  if (!way) return undefined;
  const here = middle(from);
  let nearest: HTMLElement | null = null;
  let its = Number.POSITIVE_INFINITY;
  for (const marker of markers) {
    const there = middle(marker);
    const [right, down] = [there.x - here.x, there.y - here.y];
    const ahead = right * way[0] + down * way[1];
    const aside = Math.abs(right * way[1]) + Math.abs(down * way[0]);
    if (marker === from || ahead < 1) continue;
    const distance = ahead + 2 * aside;
    if (distance < its) [nearest, its] = [marker, distance];
  }
  return nearest;
}

function middle(element: HTMLElement): { x: number; y: number } {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2 };
}
