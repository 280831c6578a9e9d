/** What a visitor says of himself before he writes. */
export interface Enquirer {
  readonly name: string;
  readonly email: string;
  readonly phone: string;
  readonly message: string;
}

/** The message as it is sent: what was written, and under it who wrote and how to answer. */
export function enquiryText({ name, email, phone, message }: Enquirer): string {
  const signature = [name, phone, email].map((line) => line.trim()).filter(Boolean);
  return [message.trim(), signature.join("\n")].filter(Boolean).join("\n\n");
}

/** A letter in the visitor's own mail program. */
export function mailHref(address: string, subject: string, text: string): string {
  // A line in a mail address ends with both characters: RFC 6068.
  const body = encodeURIComponent(text.replaceAll("\n", "\r\n"));
  return `mailto:${address}?subject=${encodeURIComponent(subject)}&body=${body}`;
}
