import type { Locale } from "#app/lib/i18n/locale.ts";
import type { EnquiryAnswer } from "./enquiry.ts";
import { REFUSALS } from "./refusals.gen.ts";
import { resultOf } from "./request.ts";

/** In pixels: the resolution that the office sees. More would only take longer to send. */
const MAX_SIDE = 2_000;
const ANSWER_LIMIT_MS = 60_000;

/** Returns the pictures that were chosen in `form`. A field without any yields one empty file. */
export function chosenPictures(form: FormData): File[] {
  return form
    .getAll("pictures")
    .filter((file): file is File => file instanceof File && file.size > 0);
}

/**
 * Uploads the pictures one after the other. Returns the ids by which the enquiry refers to them, or the
 * refusal of the first that was not accepted.
 */
export async function sendPictures(
  files: readonly File[],
  locale: Locale,
): Promise<{ ids: string[] } | EnquiryAnswer> {
  const ids: string[] = [];
  for (const file of files) {
    try {
      const answer = await fetch(`/api/enquiries/pictures?locale=${locale}`, {
        method: "POST",
        headers: { "content-type": "application/octet-stream" },
        body: await scaled(file),
        signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
      });
      const body: unknown = await answer.json().catch(() => undefined);
      if (answer.status !== 201) {
        return refusal(answer.status, body, locale, files.length > 1 ? `${file.name}: ` : "");
      }
      const { id } = (body ?? {}) as { id?: unknown };
      if (typeof id !== "string") return { failure: "away" };
      ids.push(id);
    } catch {
      return { failure: "away" };
    }
  }
  return { ids };
}

/** Returns why a picture was refused. If it is one of several, the message begins with `which`, its name. */
function refusal(status: number, body: unknown, locale: Locale, which: string): EnquiryAnswer {
  // For an enquiry, a 413 would mean that its text is too long.
  const tooLarge = [{ field: "pictures", detail: REFUSALS.picture_too_large[locale] }];
  const refused = status === 413 ? { errors: tooLarge } : resultOf(status, body);
  if ("reference" in refused) return { failure: "away" };
  if (!("errors" in refused)) return refused;
  return { errors: refused.errors.map(({ field, detail }) => ({ field, detail: which + detail })) };
}

/**
 * Returns `file` scaled down. A file that the browser can't decode is sent as it is: the service reports what
 * is wrong with it.
 */
async function scaled(file: File): Promise<Blob> {
  const picture = await createImageBitmap(file).catch(() => undefined);
  if (!picture) return file;
  try {
    const scale = MAX_SIDE / Math.max(picture.width, picture.height);
    if (scale >= 1) return file;
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(picture.width * scale);
    canvas.height = Math.round(picture.height * scale);
    const context = canvas.getContext("2d");
    if (!context) return file;
    // A JPEG is opaque: transparent pixels would turn black.
    context.fillStyle = "#fff";
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(picture, 0, 0, canvas.width, canvas.height);
    const jpeg = await new Promise<Blob | null>((resolve) =>
      canvas.toBlob(resolve, "image/jpeg", 0.85),
    );
    return jpeg ?? file;
  } catch {
    return file;
  } finally {
    picture.close();
  }
}
