import { textIn } from "#app/lib/form/form-data.ts";
import type { Locale } from "#app/lib/i18n/locale.ts";
import { type EnquiryError, type EnquiryResult, FIELDS, isKind } from "./enquiry.ts";
import { squareMetres } from "./square-metres.ts";
import { givenTimes } from "./viewing-times.ts";

/** What of a form is no text as it is typed. */
const NO_TEXT: readonly string[] = ["times", "builtArea", "pictures"];
/** The largest area that can be sent; the service refuses far smaller ones, at their field. */
const LARGEST_AREA = 2 ** 32 - 1;

/** A filled-in form as the write API takes it, but for its pictures. */
export function requestOf(form: FormData, url: URL, locale: Locale): Record<string, unknown> {
  const text = (name: string) => textIn(form, name);
  const kind = url.searchParams.get("kind");
  const fields = FIELDS[isKind(kind) ? kind : "general"];
  // The service refuses one without a day.
  const times = givenTimes(form).map(({ day, hour }) => `${day}T${hour}`);
  return {
    kind: isKind(kind) ? kind : "general",
    ...Object.fromEntries(
      fields.filter((name) => !NO_TEXT.includes(name)).map((name) => [name, text(name)]),
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
    // Of pages that were open before they said for how long.
    ...(text("startedAt") && { startedAt: text("startedAt") }),
  };
}

/** `area` as it can be sent: what is no number is none that the service takes. */
function sendable(area: number): number {
  return Math.min(area || 0, LARGEST_AREA);
}

/** What the write API's answer says. */
export function resultOf(status: number, body: unknown): EnquiryResult {
  const { reference, errors } = (body ?? {}) as { reference?: string; errors?: EnquiryError[] };
  if (status === 201 && reference) return { reference };
  if (status === 422 && errors) return { errors };
  return { failure: status === 429 ? "too-many" : status === 413 ? "too-large" : "away" };
}

/** Whether the key of an enquiry came with another one before. */
export function isKeyReused(status: number, body: unknown): boolean {
  const { type } = (body ?? {}) as { type?: string };
  return status === 422 && type === "urn:almijara:problem:idempotency-key-reused";
}
