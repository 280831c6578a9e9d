import type { EnquiryResult } from "./enquiry.ts";
import { isKeyReused, resultOf } from "./request.ts";

const ANSWER_LIMIT_MS = 20_000;
/** In which a site that is restarted is back. */
const RESTART_MS = 1_000;

/** What was last sent under another key than its form's. */
let other: { readonly content: string; readonly key: string } | undefined;

/**
 * Sends an enquiry under its key: sent once more, it is the same one. What was changed after it was
 * kept is another enquiry, and gets another key, which is its own as long as it stays the same.
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
  // Pictures have other ids each time that they are sent, but are as many; and time goes on.
  const content = JSON.stringify({ ...enquiry, openedFor: undefined }, (name, value) =>
    name === "pictures" ? value.length : value,
  );
  if (other?.content !== content) other = { content, key: crypto.randomUUID() };
  return other.key;
}

async function post(
  enquiry: Record<string, unknown>,
  key: string,
  isSecond = false,
): Promise<{ status: number; body: unknown }> {
  const answer = await fetch("/api/enquiries", {
    method: "POST",
    headers: { "content-type": "application/json", ...(key && { "idempotency-key": key }) },
    body: JSON.stringify(enquiry),
    signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
  });
  // A write side that was rolled back refuses what it does not know yet.
  if (answer.status === 400 && enquiry.openedFor !== undefined) {
    return post({ ...enquiry, openedFor: undefined }, key, isSecond);
  }
  // A proxy that met a site just as it ended. Under its key it is the same enquiry.
  if (answer.status === 502 && key && !isSecond) {
    await new Promise((resolve) => setTimeout(resolve, RESTART_MS));
    return post(enquiry, key, true);
  }
  const body: unknown = await answer.json().catch(() => undefined);
  return { status: answer.status, body };
}
