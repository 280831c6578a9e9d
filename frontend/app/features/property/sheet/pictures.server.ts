import { type Dispatcher, Pool } from "undici";
import { ApiError } from "#app/lib/api/answer.ts";
import type { Picture } from "#app/lib/api/types.ts";
import { mediaUrl } from "#app/ui/picture.tsx";
import type { SheetPicture } from "./draw-sheet.server.ts";

/** The requested widths: the first picture is large, two more are small. */
const WIDTHS = [1280, 640, 640] as const;
/** Generous, since the site may have to scale a picture first. */
const TIMEOUT_MS = 5_000;
/** About five times the size of a picture of the largest width. */
const MAX_BYTES = 2 << 20;

/** The public door: the only server of pictures, and only of published ones. */
const door = new Pool(
  new URL(process.env.SITE_URL ?? process.env.PUBLIC_URL ?? "http://localhost:8080").origin,
  {
    connections: 8,
    connectTimeout: TIMEOUT_MS,
    headersTimeout: TIMEOUT_MS,
    bodyTimeout: TIMEOUT_MS,
  },
);

/**
 * Fetches the pictures of a sheet, without those that can't be shown. `areAll` is false if a picture is missing
 * that may become available later.
 */
export async function sheetPictures(
  images: readonly Picture[],
  signal: AbortSignal,
): Promise<{ pictures: SheetPicture[]; areAll: boolean }> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
  const chosen = WIDTHS.flatMap((width, index) => {
    const image = images[index];
    return image ? [{ image, width }] : [];
  });
  const found = await Promise.all(
    chosen.map(async ({ image, width }) => {
      const jpeg = await fetchPicture(mediaUrl(image, width, "jpg"), limited);
      return jpeg && { jpeg, alt: image.alt };
    }),
  );
  return { pictures: found.filter((one) => !!one), areAll: !found.includes(undefined) };
}

/**
 * Fetches a picture. Returns undefined if it does not exist yet, and null if its file can't be read, which only
 * another file fixes. Throws a 503 if it may be available in a moment, so that the sheet is not made without it.
 */
async function fetchPicture(
  path: string,
  signal: AbortSignal,
): Promise<Uint8Array | undefined | null> {
  const { statusCode, body } = await door
    .request({ method: "GET", path, signal })
    .catch(throwUnavailable);
  if (statusCode === 200) return readBody(body, path).catch(throwUnavailable);
  await body.dump();
  if (statusCode === 429 || statusCode === 503 || statusCode === 504) {
    throw new ApiError(503, `${path} was answered with ${statusCode}`);
  }
  return statusCode === 502 ? null : undefined;
}

async function readBody(body: Dispatcher.ResponseData["body"], path: string): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MAX_BYTES) throw new Error(`${path} is too large for a sheet`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function throwUnavailable(error: unknown): never {
  throw new ApiError(503, `the site gives no pictures: ${error}`);
}
