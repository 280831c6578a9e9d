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
  | { readonly failure: "too-many" | "too-large" | "away" };

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

const THANKS = "/enquiry/thanks";

/** Where a visitor goes whose enquiry is kept, without its language. */
export function thanksPath(reference?: string): string {
  return reference ? `${THANKS}?reference=${reference}` : THANKS;
}
