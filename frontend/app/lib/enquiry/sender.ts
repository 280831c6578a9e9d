import { read, write } from "#app/lib/browser/stored.ts";

const KEY = "enquiry-sender";
const NAMES = ["name", "firstName", "lastName", "email", "phone", "mobile"] as const;
/** More than any field of a form takes. */
const LONGEST = 200;

type SenderField = (typeof NAMES)[number];

/** Who sends an enquiry, and how they are reached: as the fields of its form are called. */
export type Sender = Readonly<Partial<Record<SenderField, string>>>;

/** Who filled in a form, with what `before` knew and the form does not ask, unless that is another. */
export function senderOf(form: FormData, before: Sender = {}): Sender {
  const typed = senderIn(Object.fromEntries(form));
  const name = [typed.firstName, typed.lastName].filter(Boolean).join(" ");
  const isOther = before.email && typed.email && addressOf(before) !== addressOf(typed);
  return { ...(!isOther && before), ...(name && { name }), ...typed };
}

/**
 * Who sends the next one where `owner` is signed in, if anybody is: whom the device remembers may be another,
 * unless that is the account's own address.
 */
export function nextSender(remembered: Sender | undefined, owner: Sender): Sender {
  const isOther = owner.email && addressOf(remembered) !== addressOf(owner);
  return isOther ? owner : { ...owner, ...remembered };
}

const addressOf = (sender: Sender | undefined) => sender?.email?.toLowerCase();

/** The sender of a JSON text: others write to a device's storage too. */
export function parsedSender(text: string | null): Sender | undefined {
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
      const text = typeof value === "string" ? value.trim().slice(0, LONGEST) : "";
      return text ? [[name, text]] : [];
    }),
  );
}

/**
 * Fills in what is empty still, and says whether there was any such field. As what a field begins with:
 * what the device knows by itself is nothing that a visitor has written.
 */
export function fillIn(form: HTMLFormElement, sender: Sender): boolean {
  const empty = fieldsOf(form).filter(([name, field]) => sender[name] && field.value === "");
  for (const [name, field] of empty) begin(field, sender[name] ?? "");
  return empty.length > 0;
}

/** Empties the fields that say what `sender` does, and gives the first of them. */
export function takeOut(form: HTMLFormElement, sender: Sender): HTMLInputElement | undefined {
  const filled = fieldsOf(form).filter(([name, field]) => sender[name] === field.value.trim());
  for (const [, field] of filled) begin(field, "");
  return filled[0]?.[1];
}

function begin(field: HTMLInputElement, text: string): void {
  field.defaultValue = text;
  field.value = text;
}

function fieldsOf(form: HTMLFormElement): [SenderField, HTMLInputElement][] {
  return NAMES.flatMap((name) => {
    const field = form.elements.namedItem(name);
    return field instanceof HTMLInputElement ? [[name, field]] : [];
  });
}

/** Who this device remembers. */
export function rememberedSender(): Sender | undefined {
  return parsedSender(read(KEY));
}

export function forgetSender(): void {
  write(KEY, null);
}

/** Of a form that has arrived: who sent it is remembered with the thanks. */
let sending: FormData | undefined;

export function noteSending(form: FormData): void {
  sending = form;
}

/** Remembers who sent the form that has arrived, and gives whom the device remembers now. */
export function rememberSent(): Sender | undefined {
  const before = rememberedSender();
  if (!sending) return before;
  const sender = senderOf(sending, before);
  sending = undefined;
  return write(KEY, JSON.stringify(sender)) ? sender : before;
}
