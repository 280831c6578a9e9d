import { useState } from "react";
import { hasPasskeys, type PasskeyOutcome } from "#app/lib/account/passkeys.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Button } from "#app/ui/button.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { signInMessages } from "./messages.ts";

interface PasskeyButtonProps {
  label: string;
  /** What it does. */
  press(): Promise<PasskeyOutcome>;
  /** Where to go on afterwards. */
  next: string;
  /** Where to go on if another account is signed in by now, or none. */
  other?: string;
  /** What is said where it could not be done. */
  words: Partial<Record<PasskeyOutcome, string>>;
}

/** Makes or uses a passkey, where the browser has them. */
export default function PasskeyButton({ label, press, next, other, words }: PasskeyButtonProps) {
  const t = useMessages(signInMessages);
  const [state, setState] = useState<"idle" | "busy" | PasskeyOutcome>("idle");
  if (!hasPasskeys()) return null;
  const said = state === "too-many" ? t.tooMany : words[state as PasskeyOutcome];
  return (
    <div className="grid justify-items-start gap-3">
      <Button
        look="outline"
        busy={state === "busy"}
        onClick={async () => {
          setState("busy");
          const outcome = await press();
          if (outcome === "done") openAnew(next);
          else if (outcome === "other" && other) openAnew(other);
          else setState(outcome);
        }}
      >
        <Icon name="key" />
        {label}
      </Button>
      <p role="status">{said}</p>
    </div>
  );
}

/** Opens `address` in a new document, also where its page is shown already: to a part of that a browser only scrolls. */
function openAnew(address: string): void {
  const isShown = address.startsWith(`${location.pathname}${location.search}#`);
  location.assign(address);
  if (isShown) location.reload();
}
