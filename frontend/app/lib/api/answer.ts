/** A response body of the API, with its position and its surrogate keys. */
export interface Answer<T> {
  readonly body: T;
  /** The position in the log that the answer reflects. */
  readonly sequence: number;
  /** The surrogate keys. A change that carries one of them makes the answer stale. */
  readonly tags: readonly string[];
}

/** A response with an error status. */
export class ApiError extends Error {
  override readonly name = "ApiError";

  constructor(
    readonly status: number,
    message: string,
    /** The API's problem document, if it sent one. */
    readonly body: unknown = null,
  ) {
    super(message);
  }
}

/** The part of a `Response` that is used here. */
export interface Reply {
  readonly status: number;
  readonly headers: Pick<Headers, "get">;
  json(): Promise<unknown>;
}

/** Sends one GET request for an address such as `/api/site?locale=en`. */
export type Transport = (address: string, signal: AbortSignal) => Promise<Reply>;

/** Returns the surrogate keys of a response. */
export function tagsOf(headers: Reply["headers"]): string[] {
  return headers.get("surrogate-key")?.split(" ").filter(Boolean) ?? [];
}

/** Returns the log position that a response reflects, or undefined if it does not state one. */
export function sequenceOf(headers: Reply["headers"]): number | undefined {
  const text = headers.get("almijara-sequence");
  const sequence = text === null ? Number.NaN : Number(text);
  return Number.isSafeInteger(sequence) ? sequence : undefined;
}

/** Fetches an answer. Throws an `ApiError` if its status is not a success. */
export async function fetchAnswer<T>(
  transport: Transport,
  address: string,
  signal: AbortSignal,
): Promise<Answer<T>> {
  const reply = await transport(address, signal);
  const { status, headers } = reply;
  if (status < 200 || status > 299) {
    const problem = await reply.json().catch(() => null);
    throw new ApiError(status, `GET ${address} was answered with ${status}`, problem);
  }
  return {
    body: (await reply.json()) as T,
    sequence: sequenceOf(headers) ?? 0,
    tags: tagsOf(headers),
  };
}

/** Returns a value of unknown shape as a record; an empty one if it is not an object. */
export function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return Object(value);
}

/** Returns a value of unknown type as text; empty if it is not a string. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
