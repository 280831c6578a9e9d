import type { Locale } from "#app/lib/i18n/locale.ts";
import { messagesFor } from "#app/lib/i18n/messages.ts";
import { contactMessages } from "./messages.ts";

/** What someone has written down for us. */
export interface Letter {
  name: string;
  email: string;
  phone: string;
  message: string;
}

/** Longer ones don't survive the journey in a link on every system. */
export const LONGEST_MESSAGE = 1_200;

/** The letter as one text: a greeting, what is said, and who says it and where to answer. */
export function letterText({ name, email, phone, message }: Letter, locale: Locale): string {
  const t = messagesFor(contactMessages, locale);
  const sender = [name && t.signature(name), phone, email].filter(Boolean).join("\n");
  return [t.hello, message, sender].filter(Boolean).join("\n\n");
}

/** The same as a mail that only has to be sent. */
export function mailHref(address: string, subject: string, text: string): string {
  const lines = text.replaceAll("\n", "\r\n");
  return `mailto:${address}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(lines)}`;
}
