import { useEffect, useEffectEvent, useRef, useState } from "react";
import { isMarkedSignedIn, readMe } from "#app/lib/account/account.ts";
import { carryToLanguages, takeCarriedDraft } from "#app/lib/enquiry/carried-draft.ts";
import { forgetDrafts, giveBack, keepDraft } from "#app/lib/enquiry/draft.ts";
import {
  fillIn,
  forgetSender,
  nextSender,
  rememberedSender,
  type Sender,
  takeOut,
} from "#app/lib/enquiry/sender.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Button } from "#app/ui/button.tsx";
import { senderMessages } from "./sender-messages.ts";

interface KnownSenderProps {
  /** Told when fields were filled in, as if somebody had typed. */
  onFilled: (form: HTMLFormElement) => void;
}

/**
 * Fills the form around it in with what was written in it before it was left, in this language or another,
 * and with who is signed in, or else who sent one from this device before; offers to forget the latter of
 * these.
 */
export default function KnownSender({ onFilled }: KnownSenderProps) {
  const t = useMessages(senderMessages);
  const place = useRef<HTMLSpanElement>(null);
  const [remembered, setRemembered] = useState<Sender>();
  const filled = useEffectEvent(onFilled);
  useEffect(() => {
    const form = place.current?.closest("form");
    if (!form) return;
    takeCarriedDraft(form);
    giveBack(form);
    const stayHere = carryToLanguages(form);
    let gone = false;
    const known = rememberedSender();
    setRemembered(known);
    const fill = (owner: Sender) => {
      if (!gone && fillIn(form, nextSender(known, owner))) filled(form);
    };
    // Where nobody says who is signed in, it may be another than the device remembers.
    signedIn().then(fill, () => undefined);
    return () => {
      gone = true;
      stayHere();
      keepDraft(form);
    };
  }, []);
  const forget = () => {
    const form = place.current?.closest("form");
    forgetSender();
    forgetDrafts();
    setRemembered(undefined);
    if (form && remembered) takeOut(form, remembered)?.focus();
  };
  return (
    <span ref={place} className="contents">
      {remembered ? (
        <Button look="quiet" className="grow" onClick={forget}>
          {t.forget}
        </Button>
      ) : null}
    </span>
  );
}

async function signedIn(): Promise<Sender> {
  if (!isMarkedSignedIn(document.cookie)) return {};
  const account = (await readMe()).account;
  return account ? { email: account.email, ...(account.name && { name: account.name }) } : {};
}
