import type { Locale } from "#app/lib/i18n/locale.ts";
import type { OpeningHours } from "#app/lib/site/opening-hours.ts";
import { forgetDraft } from "./draft.ts";
import type { EnquiryResult } from "./enquiry.ts";
import { chosenPictures, sendPictures } from "./pictures.ts";
import { requestOf } from "./request.ts";
import { sendEnquiry } from "./send.ts";
import { timesPlaced } from "./viewing-times.ts";

/*
 * What a form needs when it is filled in, in one script: it comes with the first letter that is typed, so
 * that a line that is cut afterwards takes nothing away.
 */
export { promisesQuery } from "#app/lib/site/promises.ts";
export { check } from "./check.ts";

/**
 * What stands in a form. Of a date that is half typed, or is none, the browser gives nothing: it counts as one
 * that can't be read, and not as a day that nobody has chosen.
 */
export function filledIn(form: HTMLFormElement): FormData {
  const filled = new FormData(form);
  for (const field of form.querySelectorAll<HTMLInputElement>("input[type=date]")) {
    if (field.validity.badInput) filled.set(field.name, "?");
  }
  return filled;
}

/**
 * Sends a form to the address that it has; `hours` are the office's. Who leaves the document meanwhile is asked
 * whether to: it would call the sending off, and nobody would know whether it had arrived.
 */
export async function sendForm(
  form: FormData,
  url: URL,
  locale: Locale,
  hours: OpeningHours,
): Promise<EnquiryResult> {
  addEventListener("beforeunload", ask, FIRST);
  try {
    return await sendWhole(form, url, locale, hours);
  } finally {
    removeEventListener("beforeunload", ask, FIRST);
  }
}

/** Before whoever takes it for a page that is being left: it may be stayed on. */
const FIRST = { capture: true };

function ask(event: Event): void {
  event.preventDefault();
  event.stopImmediatePropagation();
}

async function sendWhole(
  form: FormData,
  url: URL,
  locale: Locale,
  hours: OpeningHours,
): Promise<EnquiryResult> {
  const pictures = await sendPictures(chosenPictures(form), locale);
  if (!("ids" in pictures)) return pictures;
  const enquiry = { ...requestOf(form, url, locale), pictures: pictures.ids };
  const result = await sendEnquiry(enquiry, String(form.get("key") ?? ""));
  if (!("reference" in result)) return timesPlaced(result, form, hours, locale);
  forgetDraft(url.href);
  return result;
}
