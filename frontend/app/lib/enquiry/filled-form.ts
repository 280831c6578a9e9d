import type { Locale } from "#app/lib/i18n/locale.ts";
import type { OpeningHours } from "#app/lib/site/opening-hours.ts";
import { discardDraft } from "./draft.ts";
import type { EnquiryResult } from "./enquiry.ts";
import { chosenPictures, sendPictures } from "./pictures.ts";
import { requestOf } from "./request.ts";
import { sendEnquiry } from "./send.ts";
import { withTimeErrors } from "./viewing-times.ts";

/*
 * The code that a form needs once it is filled in, in one script. It loads with the first character that is
 * typed, so that the form can still be sent if the connection was lost for a while afterwards.
 */
export { promisesQuery } from "#app/lib/site/promises.ts";
export { check } from "./check.ts";
export { rememberSender } from "./sender.ts";

/**
 * Reads a form. The browser returns an empty value for a date that is incomplete or invalid; it is read as an
 * invalid value here, so that it is not mistaken for a date that was not chosen.
 */
export function filledIn(form: HTMLFormElement): FormData {
  const filled = new FormData(form);
  for (const field of form.querySelectorAll<HTMLInputElement>("input[type=date]")) {
    if (field.validity.badInput) filled.set(field.name, "?");
  }
  return filled;
}

/**
 * Sends a form; `url` is the form's address, `hours` are the office's opening hours. While it is being sent,
 * the browser asks before the document is left: leaving would cancel the request, and the visitor would not
 * know whether it had arrived.
 */
export async function sendForm(
  form: FormData,
  url: URL,
  locale: Locale,
  hours: OpeningHours,
): Promise<EnquiryResult> {
  addEventListener("beforeunload", preventUnload, CAPTURE);
  try {
    return await sendWithPictures(form, url, locale, hours);
  } finally {
    removeEventListener("beforeunload", preventUnload, CAPTURE);
  }
}

/** Runs before the listeners that treat `beforeunload` as leaving the page: the visitor may choose to stay. */
const CAPTURE = { capture: true };

function preventUnload(event: Event): void {
  event.preventDefault();
  event.stopImmediatePropagation();
}

async function sendWithPictures(
  form: FormData,
  url: URL,
  locale: Locale,
  hours: OpeningHours,
): Promise<EnquiryResult> {
  const pictures = await sendPictures(chosenPictures(form), locale);
  if (!("ids" in pictures)) return pictures;
  const enquiry = { ...requestOf(form, url, locale), pictures: pictures.ids };
  const result = await sendEnquiry(enquiry, String(form.get("key") ?? ""));
  if (!("reference" in result)) return withTimeErrors(result, form, hours, locale);
  discardDraft(url.href);
  return result;
}
