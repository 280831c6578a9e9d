/**
 * Others to read after one of them, in the list's order: those that follow it, so that every article
 * leads to different ones, and the list's first where it ends too soon.
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
