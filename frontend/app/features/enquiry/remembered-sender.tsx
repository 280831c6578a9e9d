import { useEffect, useRef, useState } from "react";
import { discardDrafts } from "#app/lib/enquiry/draft.ts";
import { forgetSender, rememberedSender } from "#app/lib/enquiry/sender.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { senderMessages } from "./sender-messages.ts";

/** Tells the visitor after an enquiry that the device remembers the sender's details, and offers to forget them. */
export default function RememberedSender() {
  const t = useMessages(senderMessages);
  const [state, setState] = useState<"remembered" | "forgotten">();
  const status = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    // Screen readers announce what appears in a live region, not what it contains from the start.
    if (rememberedSender()) setState("remembered");
  }, []);
  const forget = () => {
    forgetSender();
    discardDrafts();
    setState("forgotten");
    // The button that has the focus is removed.
    status.current?.focus();
  };
  return (
    <p ref={status} role="status" tabIndex={-1} className="mt-10 max-w-[56ch] text-muted">
      {state === "forgotten" ? <span>{t.forgotten}</span> : null}
      {state === "remembered" ? (
        // One element: a browser translation may have moved the text, so React could not remove it by itself.
        <span>
          {t.remembered}{" "}
          <button type="button" className="text-link py-1 font-medium text-ink" onClick={forget}>
            {t.forget}
          </button>
        </span>
      ) : null}
    </p>
  );
}
