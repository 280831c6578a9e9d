export const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";

/** A position as the roles report it: the epoch, and the message in the lower 22 bits. */
export const position = (message: number) => 28_345_123 * 2 ** 22 + message;

export const ago = (seconds: number) => new Date(Date.now() - seconds * 1_000).toISOString();
