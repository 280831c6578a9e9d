import { useState } from "react";
import { hasPasskeys, type PasskeyOutcome } from "#app/lib/account/passkeys.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Button } from "#app/ui/button.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { signInMessages } from "./messages.ts";

interface PasskeyButtonProps {
  label: string;
  /** Creates or uses a passkey. */
  press(): Promise<PasskeyOutcome>;
  /** The path to open on success. */
  next: string;
  /** The path to open if another account, or none, is signed in by now. */
  other?: string;
  /** The message for each outcome that is not a success. */
  words: Partial<Record<PasskeyOutcome, string>>;
}

/** A button that creates or uses a passkey; hidden if the browser doesn't support passkeys. */
export default function PasskeyButton({ label, press, next, other, words }: PasskeyButtonProps) {
  const t = useMessages(signInMessages);
  const [state, setState] = useState<"idle" | "busy" | PasskeyOutcome>("idle");
  if (!hasPasskeys()) return null;
  const message = state === "too-many" ? t.tooMany : words[state as PasskeyOutcome];
  return (
    <div className="grid justify-items-start gap-3">
      <Button
        look="outline"
        busy={state === "busy"}
        onClick={async () => {
          setState("busy");
          const outcome = await press();
          if (outcome === "done") loadDocument(next);
          else if (outcome === "other" && other) loadDocument(other);
          else setState(outcome);
        }}
      >
        <Icon name="key" />
        {label}
      </Button>
      <p role="status">{message}</p>
    </div>
  );
}

/** Loads `address` as a new document, even if it is a fragment of the current page, to which a browser only scrolls. */
function loadDocument(address: string): void {
  const isCurrentPage = address.startsWith(`${location.pathname}${location.search}#`);
  location.assign(address);
  if (isCurrentPage) location.reload();
}
