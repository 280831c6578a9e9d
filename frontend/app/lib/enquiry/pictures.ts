import type { Locale } from "#app/lib/i18n/locale.ts";
import type { EnquiryAnswer } from "./enquiry.ts";
import { resultOf } from "./request.ts";
import { REFUSALS } from "./rules.gen.ts";

/** As wide and high as the office gets to see: more would only take longer to send. */
const MAX_SIDE = 2_000;
const ANSWER_LIMIT_MS = 60_000;

/** The pictures that were chosen in `form`: a field without any gives one empty file. */
export function chosenPictures(form: FormData): File[] {
  return form
    .getAll("pictures")
    .filter((file): file is File => file instanceof File && file.size > 0);
}

/** Sends them one after the other; what the enquiry names them by, or why one can't be taken. */
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

/** Why a picture is not taken. Where it is one of several, `which` begins what is told of it. */
function refusal(status: number, body: unknown, locale: Locale, which: string): EnquiryAnswer {
  // Of an enquiry the same would say that its words are too many.
  const tooLarge = [{ field: "pictures", detail: REFUSALS.picture_too_large[locale] }];
  const refused = status === 413 ? { errors: tooLarge } : resultOf(status, body);
  if ("reference" in refused) return { failure: "away" };
  if (!("errors" in refused)) return refused;
  return { errors: refused.errors.map(({ field, detail }) => ({ field, detail: which + detail })) };
}

/** `file` made smaller; as it is where the browser can't read it, for then the service says what is wrong. */
async function scaled(file: File): Promise<Blob> {
  const picture = await createImageBitmap(file).catch(() => undefined);
  if (!picture) return file;
  try {
    const scale = MAX_SIDE / Math.max(picture.width, picture.height);
    if (scale >= 1) return file;
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(picture.width * scale);
    canvas.height = Math.round(picture.height * scale);
    const pen = canvas.getContext("2d");
    if (!pen) return file;
    // A JPEG is opaque, and what nothing is drawn on would be black.
    pen.fillStyle = "#fff";
    pen.fillRect(0, 0, canvas.width, canvas.height);
    pen.drawImage(picture, 0, 0, canvas.width, canvas.height);
    const made = await new Promise<Blob | null>((give) => canvas.toBlob(give, "image/jpeg", 0.85));
    return made ?? file;
  } catch {
    return file;
  } finally {
    picture.close();
  }
}
