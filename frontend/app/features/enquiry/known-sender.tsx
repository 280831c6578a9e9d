import { type RefObject, useEffect, useEffectEvent, useState } from "react";
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
  form: RefObject<HTMLFormElement | null>;
  /** Called when fields were filled in, as if the visitor had typed. */
  onFilled: (form: HTMLFormElement) => void;
}

/**
 * Fills in a form: with the draft that was typed before the form was left, in this language or the other, and with
 * the details of the signed-in visitor, or else of the last sender on this device. Offers to forget the last sender.
 */
export default function KnownSender({ form: formRef, onFilled }: KnownSenderProps) {
  const t = useMessages(senderMessages);
  const [remembered, setRemembered] = useState<Sender>();
  const reportFilled = useEffectEvent(onFilled);
  useEffect(() => {
    const form = formRef.current;
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
  }, [formRef]);
  const forget = () => {
    forgetSender();
    discardDrafts();
    setRemembered(undefined);
    if (formRef.current && remembered) clearPrefilled(formRef.current, remembered)?.focus();
  };
  return remembered ? (
    <Button look="quiet" className="grow" onClick={forget}>
      {t.forget}
    </Button>
  ) : null;
}

async function signedInSender(): Promise<Sender> {
  if (!isMarkedSignedIn(document.cookie)) return {};
  const account = (await readMe()).account;
  return account ? { email: account.email, ...(account.name && { name: account.name }) } : {};
}
