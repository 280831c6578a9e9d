import type { EnquiryResult } from "#app/lib/enquiry/enquiry.ts";
import type { Locale } from "#app/lib/i18n/locale.ts";
import { messagesFor } from "#app/lib/i18n/messages.ts";
import { addToast } from "#app/lib/toast/toasts.ts";
import { leftFormMessages } from "./left-form-messages.ts";

// What shows it: the line may be cut by then.
if (!import.meta.env.SSR) void import("#app/ui/toasts.tsx").catch(() => undefined);

/**
 * Tells what became of an enquiry whose form was left while it was on its way, until that is read: nothing else
 * on the page says so. What was written is in the form again for who goes back.
 */
export function tellOfLeft(result: EnquiryResult, locale: Locale, goBack: () => void): void {
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
  const details = "errors" in result ? result.errors.map(({ detail }) => detail) : [];
  addToast({
    title: t.failed,
    description: [...details, t.kept].join(" "),
    icon: "alert",
    color: "clay",
    timeout: 0,
    actions: [{ label: t.back, click: goBack }],
  });
}
