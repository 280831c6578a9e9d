import { type Choice, currentChoice, keepChoice } from "#app/lib/consent/choice.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import type { Analytics } from "#app/lib/site/analytics.ts";
import { Button } from "#app/ui/button.tsx";
import { Link } from "#app/ui/link.tsx";
import { count } from "./count.ts";
import { consentMessages } from "./messages.ts";

interface ConsentBarProps {
  analytics: Analytics;
  onAnswer: () => void;
}

/** The question. It covers nothing but the foot of the window, and a no is as near as a yes. */
export default function ConsentBar({ analytics, onAnswer }: ConsentBarProps) {
  const t = useMessages(consentMessages);
  const answer = (choice: Choice) => {
    const before = currentChoice();
    keepChoice(choice);
    onAnswer();
    if (choice === "yes") count(analytics);
    // What was loaded can't be unloaded but with the page.
    else if (before === "yes") location.reload();
  };
  return (
    <section
      aria-labelledby="consent"
      className="pointer-events-auto border-t border-line bg-surface shadow-lg"
    >
      <div className="page-width flex flex-wrap items-center justify-between gap-x-10 gap-y-4 py-5">
        <div className="max-w-prose">
          <h2 id="consent" className="text-lg">
            {t.title}
          </h2>
          <p className="mt-1 text-sm text-muted">
            {t.text}{" "}
            <Link to="/cookies" className="text-link">
              {t.more}
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
