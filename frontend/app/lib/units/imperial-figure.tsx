import { Boundary } from "#app/lib/browser/boundary.tsx";
import { lazy } from "#app/lib/release/lazy.ts";
import type { ImperialProps } from "./imperial.tsx";
import { useBothUnits } from "./units.ts";

/** Few visitors need it, so it is loaded on demand. */
const Imperial = lazy(() => import("./imperial.tsx"));

/** Shows a figure in pounds or square feet too, for visitors who have chosen that; nothing for all others. */
export function ImperialFigure(figure: ImperialProps) {
  return useBothUnits() ? (
    <Boundary>
      <Imperial {...figure} />
    </Boundary>
  ) : null;
}
