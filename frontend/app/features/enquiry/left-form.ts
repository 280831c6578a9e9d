import type { EnquiryAnswer, EnquiryResult } from "#app/lib/enquiry/enquiry.ts";
import type { Locale } from "#app/lib/i18n/locale.ts";
import { messagesFor } from "#app/lib/i18n/messages.ts";
import { addToast } from "#app/lib/toast/toasts.ts";
import { leftFormMessages } from "./left-form-messages.ts";

// Loads the toasts now, because the connection may be lost by the time one is needed.
if (!import.meta.env.SSR) void import("#app/ui/toasts.tsx").catch(() => undefined);

/** Closes the notice about a form that was not sent, by the form's address. */
const notices = new Map<string, AbortController>();

/** Closes the notice about the form at `address`, because the form is being sent again. */
export function hideNotice(address: string): void {
  notices.get(address)?.abort();
  notices.delete(address);
}

/** A form that the visitor has left. */
interface LeftForm {
  address: string;
  /** Returns the reasons why it was not sent, in the form's words. */
  reasons: (answer: EnquiryAnswer) => readonly string[];
  goBack: () => void;
}

/**
 * Shows the result of an enquiry whose form was left while it was being sent. The notice has no timeout, because
 * nothing else on the page reports the result. A visitor who goes back finds the form filled in.
 */
export function showNotice(
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
  const controller = new AbortController();
  hideNotice(address);
  notices.set(address, controller);
  addToast({
    title: t.failed,
    // The text of a failure already says that nothing is lost.
    description: [...reasons(result), ...("errors" in result ? [t.kept] : [])].join(" "),
    signal: controller.signal,
    icon: "alert",
    color: "clay",
    timeout: 0,
    actions: [{ label: t.back, click: goBack }],
  });
}
