import type { EnquiryResult } from "./enquiry.ts";
import { isKeyReused, resultOf } from "./request.ts";

const ANSWER_LIMIT_MS = 20_000;
/** How long a restart of the site takes. */
const RESTART_MS = 1_000;

/** The enquiry that was last sent with a key other than its form's. */
let resent: { readonly content: string; readonly key: string } | undefined;

/**
 * Sends an enquiry with its idempotency key: repeated with the same key, it is the same enquiry. An enquiry
 * that was changed after it was stored is a new one, and gets a new key, which it keeps until it is changed
 * again.
 */
export async function sendEnquiry(
  enquiry: Record<string, unknown>,
  key: string,
): Promise<EnquiryResult> {
  try {
    const first = await post(enquiry, key);
    const { status, body } = isKeyReused(first.status, first.body)
      ? await post(enquiry, otherKey(enquiry))
      : first;
    return resultOf(status, body);
  } catch {
    return { failure: "away" };
  }
}

function otherKey(enquiry: Record<string, unknown>): string {
  // Ignores what differs between attempts: the ids of the pictures (but not their number) and the elapsed
  // time.
  const content = JSON.stringify({ ...enquiry, openedFor: undefined }, (name, value) =>
    name === "pictures" ? value.length : value,
  );
  if (resent?.content !== content) resent = { content, key: crypto.randomUUID() };
  return resent.key;
}

async function post(
  enquiry: Record<string, unknown>,
  key: string,
  isRetry = false,
): Promise<{ status: number; body: unknown }> {
  const answer = await fetch("/api/enquiries", {
    method: "POST",
    headers: { "content-type": "application/json", ...(key && { "idempotency-key": key }) },
    body: JSON.stringify(enquiry),
    signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
  });
  // A proxy returns 502 while the site restarts. With its key, the repeated request is the same enquiry.
  if (answer.status === 502 && key && !isRetry) {
    await new Promise((resolve) => setTimeout(resolve, RESTART_MS));
    return post(enquiry, key, true);
  }
  const body: unknown = await answer.json().catch(() => undefined);
  return { status: answer.status, body };
}
