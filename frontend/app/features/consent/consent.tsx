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
 * Asks, once the page is idle, whether the visit may be counted, and counts it only after a yes. Nothing of
 * this is rendered on the server, because its cached pages are shared by all visitors.
 */
export default function Consent({ analytics }: { analytics: Analytics }) {
  /** How often the visitor has asked for the question; undefined while it is hidden. */
  const [timesRequested, setTimesRequested] = useState<number>();
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the next page may be countable even if this one was not
  useEffect(() => {
    let cancelled = false;
    whenIdle(() => {
      const choice = currentChoice();
      if (cancelled) return;
      // Hides a question that was answered in another tab, unless the visitor asked for it.
      setTimesRequested((times) => (choice === undefined ? (times ?? 0) : times || undefined));
      if (choice !== "yes") return;
      import("./count.ts")
        .then(({ count }) => count(analytics))
        // Offline: the visit can't be counted anyway.
        .catch(() => {});
    });
    const stop = onAskAgain(() => setTimesRequested((times = 0) => times + 1));
    return () => {
      cancelled = true;
      stop();
    };
  }, [analytics, pathname]);
  if (timesRequested === undefined) return null;
  return (
    <Boundary>
      <ConsentBar
        analytics={analytics}
        timesRequested={timesRequested}
        onAnswer={() => setTimesRequested(undefined)}
      />
    </Boundary>
  );
}
