let minSequence: number | undefined;

/**
 * The position of the latest change that the browser knows of. Every request carries it, so that no answer is
 * older than the change that caused the request. Only the browser uses it: the server forwards the position
 * in each incoming request.
 */
export const freshness = {
  get: (): number | undefined => minSequence,
  raise: (sequence: number): void => {
    minSequence = Math.max(minSequence ?? 0, sequence);
  },
  /** Called when the change stream restarts. */
  restart: (sequence: number): void => {
    minSequence = sequence;
  },
  header: (): Record<string, string> =>
    minSequence === undefined ? {} : { "almijara-min-sequence": String(minSequence) },
};
