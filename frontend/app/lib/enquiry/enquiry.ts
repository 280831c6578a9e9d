export type EnquiryKind = "general" | "property" | "viewing" | "callback" | "valuation";

/** The fields of each kind, in the order of its form. */
export const FIELDS = {
  general: ["firstName", "lastName", "email", "phone", "mobile", "message"],
  property: ["name", "email", "phone", "message"],
  viewing: ["name", "email", "phone", "times", "message"],
  callback: ["name", "phone", "message"],
  valuation: [
    "name",
    "email",
    "phone",
    "address",
    "propertyKind",
    "builtArea",
    "message",
    "pictures",
  ],
} as const satisfies Record<EnquiryKind, readonly string[]>;

export type EnquiryField = (typeof FIELDS)[EnquiryKind][number];

/** The numbers of the times that may be proposed for a viewing. */
export const TIMES = [1, 2, 3] as const;

export interface EnquiryError {
  readonly field: string;
  /** What a valid value would be, in the visitor's language. */
  readonly detail: string;
}

/** The outcome of sending an enquiry. */
export type EnquiryResult =
  | { readonly reference: string }
  /** The fields with invalid values. */
  | { readonly errors: readonly EnquiryError[] }
  /** It could not be sent, or not at this moment. */
  | { readonly failure: "too-many" | "too-large" | "away" };

/** The refusal of an enquiry, as its page shows it. */
export type EnquiryAnswer = Exclude<EnquiryResult, { reference: string }> & {
  /** The typed values, if the server renders the page again. */
  readonly values?: Readonly<Record<string, string>>;
};

export function isKind(text: string | null): text is EnquiryKind {
  return text !== null && Object.hasOwn(FIELDS, text);
}

/** Returns the path of a form's page, without its language. */
export function enquiryPath(kind: EnquiryKind, reference?: string): string {
  const query = new URLSearchParams({ kind, ...(reference && { ref: reference }) });
  return `/enquiry?${query}`;
}

const THANKS = "/enquiry/thanks";

/** Returns the path of the page that confirms an enquiry, without its language. */
export function thanksPath(reference?: string): string {
  return reference ? `${THANKS}?reference=${reference}` : THANKS;
}
