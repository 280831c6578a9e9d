import { askWriteSide } from "#app/lib/server/write-side.server.ts";
import type { EnquiryResult } from "./enquiry.ts";
import { resultOf } from "./request.ts";

/**
 * Sends an enquiry of a visitor whose browser runs no script. It has no idempotency key of its own: its text
 * serves as one.
 */
export async function sendEnquiry(
  enquiry: Record<string, unknown>,
  request: Request,
): Promise<EnquiryResult> {
  const answer = await askWriteSide(request, "/api/enquiries", { method: "POST", body: enquiry });
  return resultOf(answer.status, answer.body);
}
