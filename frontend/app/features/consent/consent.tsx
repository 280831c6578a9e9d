import { useEffect, useState } from "react";
import { useLocation } from "react-router";
import { Boundary } from "#app/lib/browser/boundary.tsx";
import { whenIdle } from "#app/lib/browser/when-idle.ts";
import { onAskAgain } from "#app/lib/consent/ask-again.ts";
import { currentChoice } from "#app/lib/consent/choice.ts";
import { lazy } from "#app/lib/release/lazy.ts";
import type { Analytics } from "#app/lib/site/analytics.ts";

const ConsentBar = lazy(() => import("./consent-bar.tsx"));

/**
 * Asks, once the page is there, whether the visit may be counted, and has it counted only then. The
 * page that the server keeps is everybody's, so nothing of this is in it.
 */
export default function Consent({ analytics }: { analytics: Analytics }) {
  /** How often somebody has asked for the question; nothing while it is not put. */
  const [asked, setAsked] = useState<number>();
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was not counted here may be on the next page
  useEffect(() => {
    let gone = false;
    whenIdle(() => {
      const choice = currentChoice();
      if (gone) return;
      // It may have been answered in another tab; one that was asked for stays.
      setAsked((times) => (choice === undefined ? (times ?? 0) : times || undefined));
      if (choice !== "yes") return;
      import("./count.ts")
        .then(({ count }) => count(analytics))
        // Without a connection nobody could be told.
        .catch(() => {});
    });
    const stop = onAskAgain(() => setAsked((times = 0) => times + 1));
    return () => {
      gone = true;
      stop();
    };
  }, [analytics, pathname]);
  if (asked === undefined) return null;
  return (
    <Boundary>
      <ConsentBar analytics={analytics} asked={asked} onAnswer={() => setAsked(undefined)} />
    </Boundary>
  );
}
