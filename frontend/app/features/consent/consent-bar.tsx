import { type FocusEvent, useEffect, useRef } from "react";
import { type Choice, currentChoice, keepChoice } from "#app/lib/consent/choice.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import type { Analytics } from "#app/lib/site/analytics.ts";
import { Button } from "#app/ui/button.tsx";
import { Link } from "#app/ui/link.tsx";
import { count } from "./count.ts";
import { consentMessages } from "./messages.ts";

interface ConsentBarProps {
  analytics: Analytics;
  /** How often somebody has asked for it: each time it takes the focus, far from the button that they pressed. */
  asked: number;
  onAnswer: () => void;
}

/** The question. It covers nothing but the foot of the window, and a no is as near as a yes. */
export default function ConsentBar({ analytics, asked, onAnswer }: ConsentBarProps) {
  const t = useMessages(consentMessages);
  const bar = useRef<HTMLElement>(null);
  /** What had the focus before it. */
  const giver = useRef<Element>(null);
  useEffect(() => {
    if (asked > 0) bar.current?.focus();
  }, [asked]);
  const noteGiver = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (!currentTarget.contains(relatedTarget)) giver.current = relatedTarget;
  };
  const giveFocusBack = () => {
    if (!bar.current?.contains(document.activeElement)) return;
    const given = giver.current?.isConnected ? giver.current : document.getElementById("content");
    if (given instanceof HTMLElement) given.focus({ preventScroll: true });
  };
  const answer = (choice: Choice) => {
    const before = currentChoice();
    keepChoice(choice);
    giveFocusBack();
    onAnswer();
    if (choice === "yes") count(analytics);
    // What was loaded can't be unloaded but with the page.
    else if (before === "yes") location.reload();
  };
  return (
    <section
      ref={bar}
      tabIndex={-1}
      onFocus={noteGiver}
      aria-labelledby="consent"
      className="pointer-events-auto max-h-[40dvh] overflow-y-auto border-t border-line bg-surface shadow-lg"
    >
      <div className="page-width flex flex-wrap items-center justify-between gap-x-10 gap-y-4 py-5">
        <div className="max-w-prose">
          <h2 id="consent" className="text-lg">
            {t.title}
          </h2>
          <p className="mt-1 text-sm text-muted">
            {t.text}{" "}
            <Link to="/cookies" className="text-link">
              {t.cookiesLink}
            </Link>
          </p>
        </div>
        <p className="flex flex-wrap gap-3">
          <Button look="outline" onClick={() => answer("no")}>
            {t.no}
          </Button>
          <Button look="outline" onClick={() => answer("yes")}>
            {t.yes}
          </Button>
        </p>
      </div>
    </section>
  );
}
