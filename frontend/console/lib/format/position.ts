/** The lower 22 bits of a position count the messages of one stream (`contracts::Sequence`). */
const MESSAGES_PER_EPOCH = 2 ** 22;

/** Formats a position of the log as two numbers: the epoch, and the message within it. */
export function formatPosition(position: number): string {
  return position < MESSAGES_PER_EPOCH
    ? String(position)
    : `${Math.floor(position / MESSAGES_PER_EPOCH)}/${position % MESSAGES_PER_EPOCH}`;
}
