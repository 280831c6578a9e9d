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
  const [asks, setAsks] = useState(false);
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was not counted here may be on the next page
  useEffect(() => {
    let gone = false;
    whenIdle(() => {
      const choice = currentChoice();
      if (gone) return;
      if (choice === undefined) setAsks(true);
      if (choice !== "yes") return;
      import("./count.ts")
        .then(({ count }) => count(analytics))
        // Without a connection nobody could be told.
        .catch(() => {});
    });
    const stop = onAskAgain(() => setAsks(true));
    return () => {
      gone = true;
      stop();
    };
  }, [analytics, pathname]);
  if (!asks) return null;
  return (
    <Boundary>
      <ConsentBar analytics={analytics} onAnswer={() => setAsks(false)} />
    </Boundary>
  );
}
