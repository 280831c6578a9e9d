import { useLocation, useNavigationType } from "react-router";
import { fieldsOf } from "#app/lib/api/answer.ts";
import { useNavigated } from "#app/lib/browser/use-navigated.ts";

/**
 * Moves the focus after a filter was removed by its chip: to the chip that is now in its place, or to the
 * first home if there is none. It does nothing if the visitor has focused something else meanwhile. The
 * navigation's state holds the index of the removed chip.
 */
export function useChipFocus(): void {
  const { state }: { state: unknown } = useLocation();
  const removed = useNavigationType() === "PUSH" ? fieldsOf(state).chip : undefined;
  useNavigated(() => {
    // When the chip is removed, the browser moves the focus to the page.
    if (typeof removed !== "number" || !document.activeElement?.matches("body, #content")) return;
    const chips = document.querySelectorAll<HTMLElement>("main a.chip");
    const next =
      chips[Math.min(removed, chips.length - 1)] ??
      document.querySelector<HTMLElement>("main article a");
    next?.focus({ preventScroll: true });
  });
}
