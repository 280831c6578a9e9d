import { read, write } from "#app/lib/browser/stored.ts";

const KEY = "enquiry-sender";
const NAMES = ["name", "firstName", "lastName", "email", "phone", "mobile"] as const;
/** In characters; more than any field of a form accepts. */
const MAX_LENGTH = 200;

type SenderField = (typeof NAMES)[number];

/** The name and contact details of an enquiry's sender, by the names of the form fields. */
export type Sender = Readonly<Partial<Record<SenderField, string>>>;

/**
 * Returns the sender in a form, completed with the fields of `before` that the form does not have, unless
 * `before` is another person.
 */
export function senderOf(form: FormData, before: Sender = {}): Sender {
  const typed = senderIn(Object.fromEntries(form));
  const name = [typed.firstName, typed.lastName].filter(Boolean).join(" ");
  const isOtherPerson = before.email && typed.email && addressOf(before) !== addressOf(typed);
  return { ...(!isOtherPerson && before), ...(name && { name }), ...typed };
}

/**
 * Returns with whose details the next form is prefilled, given the signed-in `owner`, if any. The sender that
 * the device remembers may be another person, unless the email address is the account's own.
 */
export function nextSender(remembered: Sender | undefined, owner: Sender): Sender {
  const isOtherPerson = owner.email && addressOf(remembered) !== addressOf(owner);
  return isOtherPerson ? owner : { ...owner, ...remembered };
}

const addressOf = (sender: Sender | undefined) => sender?.email?.toLowerCase();

/** Parses a stored sender, ignoring invalid data: other code may have written to the device's storage. */
export function parseSender(text: string | null): Sender | undefined {
  try {
    const sender = senderIn((JSON.parse(text ?? "null") ?? {}) as Record<string, unknown>);
    return Object.keys(sender).length > 0 ? sender : undefined;
  } catch {
    return undefined;
  }
}

function senderIn(values: Readonly<Record<string, unknown>>): Sender {
  return Object.fromEntries(
    NAMES.flatMap((name) => {
      const value = values[name];
      const text = typeof value === "string" ? value.trim().slice(0, MAX_LENGTH) : "";
      return text ? [[name, text]] : [];
    }),
  );
}

/**
 * Prefills the empty fields of a form, and returns whether there were any. The values are set as defaults:
 * what the device fills in does not count as typed by the visitor.
 */
export function prefill(form: HTMLFormElement, sender: Sender): boolean {
  const empty = senderFields(form).filter(([name, field]) => sender[name] && field.value === "");
  for (const [name, field] of empty) setDefault(field, sender[name] ?? "");
  return empty.length > 0;
}

/** Clears the fields that hold the details of `sender`, and returns the first of them. */
export function clearPrefilled(
  form: HTMLFormElement,
  sender: Sender,
): HTMLInputElement | undefined {
  const filled = senderFields(form).filter(([name, field]) => sender[name] === field.value.trim());
  for (const [, field] of filled) setDefault(field, "");
  return filled[0]?.[1];
}

function setDefault(field: HTMLInputElement, text: string): void {
  field.defaultValue = text;
  field.value = text;
}

function senderFields(form: HTMLFormElement): [SenderField, HTMLInputElement][] {
  return NAMES.flatMap((name) => {
    const field = form.elements.namedItem(name);
    return field instanceof HTMLInputElement ? [[name, field]] : [];
  });
}

/** Returns the sender that this device remembers. */
export function rememberedSender(): Sender | undefined {
  return parseSender(read(KEY));
}

export function forgetSender(): void {
  write(KEY, null);
}

/** Remembers the sender of a form that was sent. */
export function rememberSender(form: FormData): void {
  write(KEY, JSON.stringify(senderOf(form, rememberedSender())));
}
