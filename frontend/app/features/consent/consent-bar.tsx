import { type FocusEvent, useEffect, useRef } from "react";
import { type Choice, currentChoice, saveChoice } from "#app/lib/consent/choice.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import type { Analytics } from "#app/lib/site/analytics.ts";
import { Button } from "#app/ui/button.tsx";
import { Link } from "#app/ui/link.tsx";
import { count } from "./count.ts";
import { consentMessages } from "./messages.ts";

interface ConsentBarProps {
  analytics: Analytics;
  /**
   * How often the visitor has opened the bar by its button. Each time the bar takes the focus, because it is far from
   * that button.
   */
  timesRequested: number;
  onAnswer: () => void;
}

/** The consent question. It covers only the bottom of the window; "no" is as easy to choose as "yes". */
export default function ConsentBar({ analytics, timesRequested, onAnswer }: ConsentBarProps) {
  const t = useMessages(consentMessages);
  const bar = useRef<HTMLElement>(null);
  /** The element that had the focus before the bar. */
  const previousFocus = useRef<Element>(null);
  useEffect(() => {
    if (timesRequested > 0) bar.current?.focus();
  }, [timesRequested]);
  const rememberFocus = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (!currentTarget.contains(relatedTarget)) previousFocus.current = relatedTarget;
  };
  const restoreFocus = () => {
    if (!bar.current?.contains(document.activeElement)) return;
    const target = previousFocus.current?.isConnected
      ? previousFocus.current
      : document.getElementById("content");
    if (target instanceof HTMLElement) target.focus({ preventScroll: true });
  };
  const answer = (choice: Choice) => {
    const before = currentChoice();
    saveChoice(choice);
    restoreFocus();
    onAnswer();
    if (choice === "yes") count(analytics);
    // A loaded script can only be removed by reloading the page.
    else if (before === "yes") location.reload();
  };
  return (
    <section
      ref={bar}
      tabIndex={-1}
      onFocus={rememberFocus}
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
