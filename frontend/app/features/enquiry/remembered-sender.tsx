import { useEffect, useRef, useState } from "react";
import { discardDrafts } from "#app/lib/enquiry/draft.ts";
import { forgetSender, rememberSent } from "#app/lib/enquiry/sender.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { senderMessages } from "./sender-messages.ts";

/** Stores the sender's details after a successful enquiry, tells the visitor so, and offers to forget them. */
export default function RememberedSender() {
  const t = useMessages(senderMessages);
  const [state, setState] = useState<"nobody" | "remembered" | "forgotten">("nobody");
  const status = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (rememberSent()) setState("remembered");
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
        <>
          {t.remembered}{" "}
          <button type="button" className="text-link py-1 font-medium text-ink" onClick={forget}>
            {t.forget}
          </button>
        </>
      ) : null}
    </p>
  );
}
