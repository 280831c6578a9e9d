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
    /** What a 410 says of the thing that was here. */
    readonly body: unknown = null,
  ) {
    super(message);
  }
}

/** Sends one GET request for an address such as `/api/site?locale=en`. */
export type Transport = (address: string, signal: AbortSignal) => Promise<Response>;

/** The surrogate keys that a response names. */
export function tagsOf(headers: Headers): string[] {
  return headers.get("surrogate-key")?.split(" ").filter(Boolean) ?? [];
}

/** The position that a response was made from; none where it does not say. */
export function sequenceOf(headers: Headers): number | undefined {
  const text = headers.get("almijara-sequence");
  const sequence = text === null ? Number.NaN : Number(text);
  return Number.isSafeInteger(sequence) ? sequence : undefined;
}

/** Asks and reads. */
export async function ask<T>(
  transport: Transport,
  address: string,
  signal: AbortSignal,
): Promise<Answer<T>> {
  const response = await transport(address, signal);
  if (!response.ok) {
    const message = `GET ${address} was answered with ${response.status}`;
    if (response.status === 410) {
      throw new ApiError(410, message, await response.json().catch(() => null));
    }
    await response.body?.cancel();
    throw new ApiError(response.status, message);
  }
  return {
    body: (await response.json()) as T,
    sequence: sequenceOf(response.headers) ?? 0,
    tags: tagsOf(response.headers),
  };
}
