import type { EnquiryAnswer, EnquiryResult } from "#app/lib/enquiry/enquiry.ts";
import type { Locale } from "#app/lib/i18n/locale.ts";
import { messagesFor } from "#app/lib/i18n/messages.ts";
import { addToast } from "#app/lib/toast/toasts.ts";
import { leftFormMessages } from "./left-form-messages.ts";

// What shows it: the line may be cut by then.
if (!import.meta.env.SSR) void import("#app/ui/toasts.tsx").catch(() => undefined);

/** What ends the telling of a form that was not sent, by the form's address. */
const told = new Map<string, AbortController>();

/** The form at `address` is sent anew: that it was not is no longer true. */
export function forgetLeft(address: string): void {
  told.get(address)?.abort();
  told.delete(address);
}

/** A form that was left. */
interface LeftForm {
  address: string;
  /** Why it was not sent, in its own words. */
  reasons: (answer: EnquiryAnswer) => readonly string[];
  goBack: () => void;
}

/**
 * Tells what became of an enquiry whose form was left while it was on its way, until that is read: nothing else
 * on the page says so. What was written is in the form again for who goes back.
 */
export function tellOfLeft(
  result: EnquiryResult,
  locale: Locale,
  { address, reasons, goBack }: LeftForm,
): void {
  const t = messagesFor(leftFormMessages, locale);
  if ("reference" in result) {
    addToast({
      title: t.arrived,
      description: t.reference(result.reference),
      icon: "check",
      color: "leaf",
      timeout: 0,
    });
    return;
  }
  const ends = new AbortController();
  forgetLeft(address);
  told.set(address, ends);
  addToast({
    title: t.failed,
    // A failure's own words say so already.
    description: [...reasons(result), ...("errors" in result ? [t.kept] : [])].join(" "),
    signal: ends.signal,
    icon: "alert",
    color: "clay",
    timeout: 0,
    actions: [{ label: t.back, click: goBack }],
  });
}
