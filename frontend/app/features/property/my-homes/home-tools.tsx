import { AfterHydration } from "#app/lib/browser/after-hydration.tsx";
import { lazy } from "#app/lib/release/lazy.ts";
import type { ToolsProps } from "./tools.tsx";

const Tools = lazy(() => import("./tools.tsx"));

/**
 * The visitor's tools for a home, such as favourite and hide, with their current state. Rendered after
 * hydration, over the card's picture or in a space that is reserved for them.
 */
export function HomeTools(props: ToolsProps) {
  return (
    <AfterHydration>
      <Tools {...props} />
    </AfterHydration>
  );
}
