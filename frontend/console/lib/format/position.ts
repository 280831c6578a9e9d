/** How many bits of a position count the messages of one stream (`contracts::Sequence`). */
const STREAM = 2 ** 22;

/** A position of the log as two numbers: the epoch, and the message in it. */
export function formatPosition(position: number): string {
  return position < STREAM
    ? String(position)
    : `${Math.floor(position / STREAM)}/${position % STREAM}`;
}
