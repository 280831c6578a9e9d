import type { EnquiryResult } from "./enquiry.ts";
import { isKeyReused, resultOf } from "./request.ts";

const ANSWER_LIMIT_MS = 20_000;

/**
 * Sends an enquiry under its key: sent once more, it is the same one. What was changed after it was
 * kept is another enquiry, and gets another key.
 */
export async function sendEnquiry(
  enquiry: Record<string, unknown>,
  key: string,
): Promise<EnquiryResult> {
  try {
    const first = await post(enquiry, key);
    const { status, body } = isKeyReused(first.status, first.body)
      ? await post(enquiry, crypto.randomUUID())
      : first;
    return resultOf(status, body);
  } catch {
    return { failure: "away" };
  }
}

async function post(enquiry: Record<string, unknown>, key: string) {
  const answer = await fetch("/api/enquiries", {
    method: "POST",
    headers: { "content-type": "application/json", ...(key && { "idempotency-key": key }) },
    body: JSON.stringify(enquiry),
    signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
  });
  const body: unknown = await answer.json().catch(() => undefined);
  return { status: answer.status, body };
}
