import { Boundary } from "#app/lib/browser/boundary.tsx";
import { lazy } from "#app/lib/release/lazy.ts";
import type { ImperialProps } from "./imperial.tsx";
import { useBothUnits } from "./units.ts";

/** Few ask for it. */
const Imperial = lazy(() => import("./imperial.tsx"));

/** The same in pounds or square feet, for those who want it besides; for all others nothing. */
export function Besides(figure: ImperialProps) {
  return useBothUnits() ? (
    <Boundary>
      <Imperial {...figure} />
    </Boundary>
  ) : null;
}
