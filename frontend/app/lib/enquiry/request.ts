import { textIn } from "#app/lib/form/form-data.ts";
import type { Locale } from "#app/lib/i18n/locale.ts";
import { type EnquiryError, type EnquiryResult, FIELDS, isKind } from "./enquiry.ts";
import { squareMetres } from "./square-metres.ts";
import { givenTimes } from "./viewing-times.ts";

/** Fields that are not sent as the text that was typed. */
const NOT_TEXT: readonly string[] = ["times", "builtArea", "pictures"];
/** The largest area that the request can hold. The service has a far lower limit, which it reports at the field. */
const MAX_AREA = 2 ** 32 - 1;

/** Converts a filled-in form to a request of the write API, without its pictures. */
export function requestOf(form: FormData, url: URL, locale: Locale): Record<string, unknown> {
  const text = (name: string) => textIn(form, name);
  const kind = url.searchParams.get("kind");
  const fields = FIELDS[isKind(kind) ? kind : "general"];
  // The service refuses a time without a day.
  const times = givenTimes(form).map(({ day, hour }) => `${day}T${hour}`);
  return {
    kind: isKind(kind) ? kind : "general",
    ...Object.fromEntries(
      fields.filter((name) => !NOT_TEXT.includes(name)).map((name) => [name, text(name)]),
    ),
    ...(kind === "viewing" && { times }),
    ...(text("builtArea") && {
      builtArea: sendable(squareMetres(text("builtArea"))),
    }),
    ref: url.searchParams.get("ref") ?? "",
    locale,
    privacyAccepted: true,
    marketingConsent: form.get("marketingConsent") === "yes",
    website: text("website"),
    ...(/^\d{1,9}$/.test(text("openedFor")) && {
      openedFor: Number(text("openedFor")),
    }),
  };
}

/**
 * Limits `area` to what the request can hold. An area that is not a number becomes 0, which the service
 * refuses.
 */
function sendable(area: number): number {
  return Math.min(area || 0, MAX_AREA);
}

/** Converts a response of the write API to a result. */
export function resultOf(status: number, body: unknown): EnquiryResult {
  const { reference, errors } = (body ?? {}) as { reference?: string; errors?: EnquiryError[] };
  if (status === 201 && reference) return { reference };
  if (status === 422 && errors) return { errors };
  return { failure: status === 429 ? "too-many" : status === 413 ? "too-large" : "away" };
}

/** Returns whether the idempotency key was used before with another enquiry. */
export function isKeyReused(status: number, body: unknown): boolean {
  const { type } = (body ?? {}) as { type?: string };
  return status === 422 && type === "urn:almijara:problem:idempotency-key-reused";
}
