import { AfterHydration } from "#app/lib/browser/after-hydration.tsx";
import { lazy } from "#app/lib/release/lazy.ts";
import type { ToolsProps } from "./tools.tsx";

const Tools = lazy(() => import("./tools.tsx"));

/**
 * What a visitor can make of a home, and what they made of it: over the card's picture, or in a place
 * that is kept for it.
 */
export function HomeTools(props: ToolsProps) {
  return (
    <AfterHydration>
      <Tools {...props} />
    </AfterHydration>
  );
}
