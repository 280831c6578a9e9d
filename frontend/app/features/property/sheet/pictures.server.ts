import { type Dispatcher, Pool } from "undici";
import { ApiError } from "#app/lib/api/answer.ts";
import type { Picture } from "#app/lib/api/types.ts";
import { mediaUrl } from "#app/ui/picture.tsx";
import type { SheetPicture } from "./draw-sheet.server.ts";

/** The first is large, two more are small. */
const WIDTHS = [1280, 640, 640] as const;
/** It may have to be scaled first. */
const LIMIT_MS = 5_000;
/** A picture of that width takes a fifth of it. */
const MAX_BYTES = 2 << 20;

/** The public door, which alone gives pictures, and only those that are published. */
const door = new Pool(
  new URL(process.env.SITE_URL ?? process.env.PUBLIC_URL ?? "http://localhost:8080").origin,
  { connections: 8, connectTimeout: LIMIT_MS, headersTimeout: LIMIT_MS, bodyTimeout: LIMIT_MS },
);

/** The pictures of a sheet, without those that can't be shown, and whether none is lacking that may come. */
export async function sheetPictures(
  images: readonly Picture[],
  signal: AbortSignal,
): Promise<{ pictures: SheetPicture[]; areAll: boolean }> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(LIMIT_MS)]);
  const chosen = WIDTHS.flatMap((width, index) => {
    const image = images[index];
    return image ? [{ image, width }] : [];
  });
  const found = await Promise.all(
    chosen.map(async ({ image, width }) => {
      const jpeg = await read(mediaUrl(image, width, "jpg"), limit);
      return jpeg && { jpeg, alt: image.alt };
    }),
  );
  return { pictures: found.filter((one) => !!one), areAll: !found.includes(undefined) };
}

/**
 * A picture; undefined where there is none yet, and null where its file can't be read, which takes another file.
 * What may be there in a moment is not done without.
 */
async function read(path: string, signal: AbortSignal): Promise<Uint8Array | undefined | null> {
  const { statusCode, body } = await door
    .request({ method: "GET", path, signal })
    .catch(unanswered);
  if (statusCode === 200) return readBody(body, path).catch(unanswered);
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

function unanswered(error: unknown): never {
  throw new ApiError(503, `the site gives no pictures: ${error}`);
}
