import { useEffect, useEffectEvent, useRef, useState } from "react";
import { isMarkedSignedIn, readMe } from "#app/lib/account/account.ts";
import { carryToLanguages, takeCarriedDraft } from "#app/lib/enquiry/carried-draft.ts";
import { discardDrafts, restoreDraft, saveDraft } from "#app/lib/enquiry/draft.ts";
import {
  clearPrefilled,
  forgetSender,
  nextSender,
  prefill,
  rememberedSender,
  type Sender,
} from "#app/lib/enquiry/sender.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Button } from "#app/ui/button.tsx";
import { senderMessages } from "./sender-messages.ts";

interface KnownSenderProps {
  /** Called when fields were filled in, as if the visitor had typed. */
  onFilled: (form: HTMLFormElement) => void;
}

/**
 * Fills in the surrounding form: with the draft that was typed before the form was left, in this language or the
 * other, and with the details of the signed-in visitor, or else of the last sender on this device. Offers to forget
 * the last sender.
 */
export default function KnownSender({ onFilled }: KnownSenderProps) {
  const t = useMessages(senderMessages);
  const marker = useRef<HTMLSpanElement>(null);
  const [remembered, setRemembered] = useState<Sender>();
  const reportFilled = useEffectEvent(onFilled);
  useEffect(() => {
    const form = marker.current?.closest("form");
    if (!form) return;
    takeCarriedDraft(form);
    restoreDraft(form);
    const stopCarrying = carryToLanguages(form);
    let unmounted = false;
    const lastSender = rememberedSender();
    setRemembered(lastSender);
    const fill = (owner: Sender) => {
      if (!unmounted && prefill(form, nextSender(lastSender, owner))) reportFilled(form);
    };
    // If that lookup fails, nothing is filled in: the signed-in visitor may not be the remembered sender.
    signedInSender().then(fill, () => undefined);
    return () => {
      unmounted = true;
      stopCarrying();
      saveDraft(form);
    };
  }, []);
  const forget = () => {
    const form = marker.current?.closest("form");
    forgetSender();
    discardDrafts();
    setRemembered(undefined);
    if (form && remembered) clearPrefilled(form, remembered)?.focus();
  };
  return (
    <span ref={marker} className="contents">
      {remembered ? (
        <Button look="quiet" className="grow" onClick={forget}>
          {t.forget}
        </Button>
      ) : null}
    </span>
  );
}

async function signedInSender(): Promise<Sender> {
  if (!isMarkedSignedIn(document.cookie)) return {};
  const account = (await readMe()).account;
  return account ? { email: account.email, ...(account.name && { name: account.name }) } : {};
}
