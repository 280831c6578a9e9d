/** Others to read after one of them: the older ones first, then from the newest on. */
export function othersAfter<T extends { slug: string }>(
  items: readonly T[],
  slug: string,
  count: number,
): T[] {
  const at = items.findIndex((item) => item.slug === slug);
  return [...items.slice(at + 1), ...items.slice(0, Math.max(at, 0))].slice(0, count);
}
