import type { PropertyDetail } from "#app/lib/api/types.ts";
import { Boundary } from "#app/lib/browser/boundary.tsx";
import { lazy } from "#app/lib/release/lazy.ts";

const SunHours = lazy(() => import("./sun-hours.tsx"));

/** The hours of sun on the terrace, loaded as its own chunk. */
export function Sun({ property }: { property: PropertyDetail }) {
  const { coordinates, particulars, terraceArea } = property;
  const orientation = particulars?.orientation;
  if (!coordinates || !orientation) return null;
  return (
    <div className="print:hidden">
      <Boundary>
        <SunHours spot={coordinates} facing={orientation} terrace={Boolean(terraceArea)} />
      </Boundary>
    </div>
  );
}
