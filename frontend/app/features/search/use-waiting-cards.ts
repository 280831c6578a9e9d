import { type ComponentType, useEffect, useState } from "react";
import { useNavigation } from "react-router";
import { whenHydrated } from "#app/lib/browser/boundary.tsx";
import { whenIdle } from "#app/lib/browser/when-idle.ts";
import { listAt } from "#app/lib/search/list-path.ts";
import type { WaitingCardsProps } from "./waiting-cards.tsx";

/** What comes sooner was never waited for. */
const MOMENT_MS = 200;

/**
 * What stands in a list's place once the next one has been on its way for longer than a moment. Its script is
 * read ahead, while nothing is: asked for in the midst of a step, and lost, it would call the step off
 * (`lost-script.ts`).
 */
export function useWaitingCards(): ComponentType<WaitingCardsProps> | undefined {
  const { location } = useNavigation();
  const isStepping = location !== undefined;
  const loading = isStepping && listAt(location.pathname) !== undefined;
  const [Cards, setCards] = useState<ComponentType<WaitingCardsProps>>();
  const [isLong, setIsLong] = useState(false);
  useEffect(() => {
    if (isStepping || Cards) return;
    let isOver = false;
    const load = () => {
      if (isOver) return;
      import("./waiting-cards.tsx").then(
        (module) => setCards(() => module?.WaitingCards),
        // The list stays.
        () => undefined,
      );
    };
    whenHydrated(() => whenIdle(load));
    return () => {
      isOver = true;
    };
  }, [isStepping, Cards]);
  useEffect(() => {
    if (!loading) return;
    const timer = setTimeout(() => setIsLong(true), MOMENT_MS);
    return () => {
      clearTimeout(timer);
      setIsLong(false);
    };
  }, [loading]);
  return loading && isLong ? Cards : undefined;
}
