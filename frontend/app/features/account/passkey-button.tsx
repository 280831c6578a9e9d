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
}

/** Makes or uses a passkey, where the browser has them. */
export default function PasskeyButton({ label, press, next }: PasskeyButtonProps) {
  const t = useMessages(signInMessages);
  const [state, setState] = useState<"idle" | "busy" | "failed">("idle");
  if (!hasPasskeys()) return null;
  return (
    <div className="grid justify-items-start gap-3">
      <Button
        look="outline"
        busy={state === "busy"}
        onClick={async () => {
          setState("busy");
          const outcome = await press();
          if (outcome === "done") location.assign(next);
          else if (outcome === "other") location.assign(`${next}?other`);
          else setState(outcome === "failed" ? "failed" : "idle");
        }}
      >
        <Icon name="key" />
        {label}
      </Button>
      <p role="status">{state === "failed" ? t.passkeyFailed : null}</p>
    </div>
  );
}
