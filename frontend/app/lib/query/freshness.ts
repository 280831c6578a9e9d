let least: number | undefined;

/**
 * The position of the last change that the browser has heard of. Every question carries it, so that
 * no answer is older than the news that led to the question. (Only the browser has one: the server
 * passes on what each request brings.)
 */
export const freshness = {
  get: (): number | undefined => least,
  raise: (sequence: number): void => {
    least = Math.max(least ?? 0, sequence);
  },
  /** After the change stream starts anew. */
  restart: (sequence: number): void => {
    least = sequence;
  },
  header: (): Record<string, string> =>
    least === undefined ? {} : { "almijara-min-sequence": String(least) },
};
