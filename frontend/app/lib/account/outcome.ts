/** What a form has done. The page that it leads to says it. */
export type Outcome =
  | "confirmed"
  | "deleted"
  | "device-signed-out"
  | "kept"
  | "other-account"
  | "passkey-made"
  | "passkey-removed"
  | "password-removed"
  | "password-saved"
  | "saved"
  | "sent"
  | "signed-out"
  | "stopped";

/** Returns `path` with the query parameter `outcome`. */
export function withOutcome(path: string, outcome: Outcome): string {
  const { pathname, searchParams, hash } = new URL(path, "http://site.invalid");
  searchParams.set("outcome", outcome);
  return `${pathname}?${searchParams}${hash}`;
}
