import type { Locale } from "#app/lib/i18n/locale.ts";

export type EnquiryKind = "general" | "property" | "viewing" | "callback";

/** The fields of each kind, in the order of its form. */
export const FIELDS = {
  general: ["firstName", "lastName", "email", "phone", "mobile", "message"],
  property: ["name", "email", "phone", "message"],
  viewing: ["name", "email", "phone", "times", "message"],
  callback: ["name", "phone", "message"],
} as const satisfies Record<EnquiryKind, readonly string[]>;

export type EnquiryField = (typeof FIELDS)[EnquiryKind][number];

/** How many times a viewing may be proposed for. */
export const TIMES = [1, 2, 3] as const;

export interface EnquiryError {
  readonly field: string;
  /** What would be right, in the visitor's language. */
  readonly detail: string;
}

/** What became of an enquiry. */
export type EnquiryResult =
  | { readonly reference: string }
  /** Fields that can't be taken. */
  | { readonly errors: readonly EnquiryError[] }
  /** It could not be sent, or not now. */
  | { readonly failure: "too-many" | "away" };

/** What a page shows of an enquiry that was not taken. */
export type EnquiryAnswer = Exclude<EnquiryResult, { reference: string }> & {
  /** What was typed, where the page is made anew. */
  readonly values?: Readonly<Record<string, string>>;
};

export function isKind(text: string | null): text is EnquiryKind {
  return text !== null && Object.hasOwn(FIELDS, text);
}

/** The page of a form, without its language. */
export function enquiryPath(kind: EnquiryKind, reference?: string): string {
  const query = new URLSearchParams({ kind, ...(reference && { ref: reference }) });
  return `/enquiry?${query}`;
}

/** A filled-in form as the write API takes it. */
export function requestOf(form: FormData, url: URL, locale: Locale): Record<string, unknown> {
  const text = (name: string) => String(form.get(name) ?? "").trim();
  const kind = url.searchParams.get("kind");
  const fields = FIELDS[isKind(kind) ? kind : "general"];
  const times = TIMES.filter((time) => text(`day${time}`)).map(
    (time) => `${text(`day${time}`)}T${text(`time${time}`)}`,
  );
  return {
    kind: isKind(kind) ? kind : "general",
    ...Object.fromEntries(
      fields.filter((name) => name !== "times").map((name) => [name, text(name)]),
    ),
    ...(kind === "viewing" && { times }),
    ref: url.searchParams.get("ref") ?? "",
    locale,
    privacyAccepted: true,
    marketingConsent: form.get("marketingConsent") === "yes",
    website: text("website"),
    ...(text("startedAt") && { startedAt: text("startedAt") }),
  };
}

/** What the write API's answer says. */
export function resultOf(status: number, body: unknown): EnquiryResult {
  const { reference, errors } = (body ?? {}) as { reference?: string; errors?: EnquiryError[] };
  if (status === 201 && reference) return { reference };
  if (status === 422 && errors) return { errors };
  return { failure: status === 429 ? "too-many" : "away" };
}

/** Whether the key of an enquiry came with another one before. */
export function isKeyReused(status: number, body: unknown): boolean {
  const { type } = (body ?? {}) as { type?: string };
  return status === 422 && type === "urn:almijara:problem:idempotency-key-reused";
}

/** Where a visitor goes whose enquiry is kept. */
export function thanksPath(reference: string): string {
  return `/enquiry/thanks?reference=${reference}`;
}
