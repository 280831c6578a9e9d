import type { PropertyDetail } from "#app/lib/api/types.ts";
import { Boundary } from "#app/lib/browser/boundary.tsx";
import { useHydrated } from "#app/lib/browser/use-hydrated.ts";
import { lazy } from "#app/lib/release/lazy.ts";

const SunHours = lazy(() => import("./sun-hours.tsx"));

/**
 * When the sun is on the terrace. It is worked out in the browser, in a room that is kept for it below
 * what is seen first; without a script the facts say which way the home faces.
 */
export function Sun({ property }: { property: PropertyDetail }) {
  const hydrated = useHydrated();
  const { coordinates, particulars, terraceArea } = property;
  const orientation = particulars?.orientation;
  if (!coordinates || !orientation) return null;
  return (
    <div className="min-h-96 noscript:hidden print:hidden">
      {hydrated ? (
        <Boundary>
          <SunHours spot={coordinates} facing={orientation} terrace={Boolean(terraceArea)} />
        </Boundary>
      ) : null}
    </div>
  );
}
