/**
 * Picks `count` articles to read after the one with `slug`, in the list's order: the ones that follow it, so that
 * different articles recommend different ones, then the list's first if too few follow.
 */
export function othersAfter<T extends { slug: string }>(
  items: readonly T[],
  slug: string,
  count: number,
): T[] {
  const at = items.findIndex((item) => item.slug === slug);
  const chosen = [...items.slice(at + 1), ...items.slice(0, Math.max(at, 0))].slice(0, count);
  return items.filter((item) => chosen.includes(item));
}
