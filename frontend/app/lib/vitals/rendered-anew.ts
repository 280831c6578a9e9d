/**
 * The performance mark that `entry.client.tsx` sets for each part of the page that React rendered again
 * because it differed from the server's HTML. A mark and not an imported counter: the entry is in every first
 * load, and would import this module.
 */
const MARK = "rendered anew";

/** Returns how many parts were rendered again since the last call. */
export function takeRenderedAnew(): number {
  const { length } = performance.getEntriesByName(MARK, "mark");
  performance.clearMarks(MARK);
  return length;
}
