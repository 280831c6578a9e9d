/**
 * The mark that `entry.client.tsx` leaves in the browser's timeline for each part of the page that React
 * rendered anew, since it was not as the server had made it. A mark, and no count that is imported: the
 * entry is in every first load, and it would bring this along.
 */
const MARK = "rendered anew";

/** How many parts were rendered anew since this was last asked. */
export function takeRenderedAnew(): number {
  const { length } = performance.getEntriesByName(MARK, "mark");
  performance.clearMarks(MARK);
  return length;
}
