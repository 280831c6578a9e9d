import { Suspense } from "react";
import type { PropertyDetail } from "#app/lib/api/types.ts";
import { useHydrated } from "#app/lib/browser/use-hydrated.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { lazy } from "#app/lib/release/lazy.ts";
import { Sky } from "./sky.tsx";
import { sunMessages } from "./sun-messages.ts";

const SunHours = lazy(() => import("./sun-hours.tsx"));

/**
 * When the sun is on the terrace. It is worked out in the browser, below what is seen first; without a
 * script the facts say which way the home faces.
 */
export function Sun({ property }: { property: PropertyDetail }) {
  const t = useMessages(sunMessages);
  const hydrated = useHydrated();
  const { coordinates, particulars, terraceArea } = property;
  const orientation = particulars?.orientation;
  if (!coordinates || !orientation) return null;
  const terrace = Boolean(terraceArea);
  return (
    <section aria-labelledby="sun" className="no-script:hidden print:hidden">
      <h2 id="sun" className="text-heading">
        {t.title(terrace)}
      </h2>
      {hydrated ? (
        <Suspense fallback={<Sky />}>
          <SunHours spot={coordinates} facing={orientation} terrace={terrace} />
        </Suspense>
      ) : (
        <Sky />
      )}
    </section>
  );
}
