import { useLocation, useNavigationType } from "react-router";
import { useNavigated } from "#app/lib/browser/use-navigated.ts";
import type { NavigationState } from "#app/lib/search/navigation-state.ts";

/**
 * Moves the focus after a filter was removed by its chip: to the chip that is now in its place, or to the
 * first home if there is none. It does nothing if the visitor has focused something else meanwhile. The
 * navigation's state holds the index of the removed chip.
 */
export function useChipFocus(): void {
  const state: NavigationState | null = useLocation().state;
  const removed = useNavigationType() === "PUSH" ? state?.chip : undefined;
  useNavigated(() => {
    // When the chip is removed, the browser moves the focus to the page.
    if (removed === undefined || !document.activeElement?.matches("body, #content")) return;
    const chips = document.querySelectorAll<HTMLElement>("main a.chip");
    const next =
      chips[Math.min(removed, chips.length - 1)] ??
      document.querySelector<HTMLElement>("main article a");
    next?.focus({ preventScroll: true });
  });
}
