/** What the API answered, with what it was made from. */
export interface Answer<T> {
  readonly body: T;
  /** The position in the log that the answer stands at. */
  readonly sequence: number;
  /** The surrogate keys: a change that carries one of them makes the answer old. */
  readonly tags: readonly string[];
}

/** An answer that is not a success. */
export class ApiError extends Error {
  override readonly name = "ApiError";

  constructor(
    readonly status: number,
    message: string,
    /** The problem as the API describes it, where it does. */
    readonly body: unknown = null,
  ) {
    super(message);
  }
}

/** As much of a `Response` as is read of one. */
export interface Reply {
  readonly status: number;
  readonly headers: Pick<Headers, "get">;
  json(): Promise<unknown>;
}

/** Sends one GET request for an address such as `/api/site?locale=en`. */
export type Transport = (address: string, signal: AbortSignal) => Promise<Reply>;

/** The surrogate keys that a response names. */
export function tagsOf(headers: Reply["headers"]): string[] {
  return headers.get("surrogate-key")?.split(" ").filter(Boolean) ?? [];
}

/** The position that a response was made from; none where it does not say. */
export function sequenceOf(headers: Reply["headers"]): number | undefined {
  const text = headers.get("almijara-sequence");
  const sequence = text === null ? Number.NaN : Number(text);
  return Number.isSafeInteger(sequence) ? sequence : undefined;
}

/** Asks and reads. */
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

/** The fields of an object of which nothing is promised, and none of anything else. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return Object(value);
}

/** A text of which nothing is promised; empty where it is none. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
