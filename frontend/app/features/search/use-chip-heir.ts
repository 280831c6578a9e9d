import { useLocation, useNavigationType } from "react-router";
import { fieldsOf } from "#app/lib/api/answer.ts";
import { useNavigated } from "#app/lib/browser/use-navigated.ts";

/**
 * Whoever takes filters away by their chips goes on from the chip that has come in the place of the last one,
 * and without any from the first home: unless they have gone on to something else by then. The step itself says
 * which chip it was.
 */
export function useChipHeir(): void {
  const { state }: { state: unknown } = useLocation();
  const place = useNavigationType() === "PUSH" ? fieldsOf(state).chip : undefined;
  useNavigated(() => {
    // The chip went, and the focus to the page.
    if (typeof place !== "number" || !document.activeElement?.matches("body, #content")) return;
    const chips = document.querySelectorAll<HTMLElement>("main a.chip");
    const heir =
      chips[Math.min(place, chips.length - 1)] ??
      document.querySelector<HTMLElement>("main article a");
    heir?.focus({ preventScroll: true });
  });
}
