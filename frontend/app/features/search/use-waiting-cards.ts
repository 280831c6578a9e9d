import { type ComponentType, useEffect, useState } from "react";
import { useNavigation } from "react-router";
import { whenHydrated } from "#app/lib/browser/boundary.tsx";
import { whenIdle } from "#app/lib/browser/when-idle.ts";
import { listAt } from "#app/lib/search/list-path.ts";
import type { WaitingCardsProps } from "./waiting-cards.tsx";

/** A list that arrives sooner replaces the old one without placeholders. */
const SHOW_DELAY_MS = 200;

/**
 * Returns the placeholder cards while the next list has been loading for longer than `SHOW_DELAY_MS`. Their
 * script is loaded in advance, while no navigation is in flight: a script that fails to load during a
 * navigation would cancel it (`lost-script.ts`).
 */
export function useWaitingCards(): ComponentType<WaitingCardsProps> | undefined {
  const { location } = useNavigation();
  const isNavigating = location !== undefined;
  const loading = isNavigating && listAt(location.pathname) !== undefined;
  const [Cards, setCards] = useState<ComponentType<WaitingCardsProps>>();
  const [isSlow, setIsSlow] = useState(false);
  useEffect(() => {
    if (isNavigating || Cards) return;
    let isCancelled = false;
    const load = () => {
      if (isCancelled) return;
      import("./waiting-cards.tsx").then(
        (module) => setCards(() => module?.WaitingCards),
        // Without the script, the old list stays.
        () => undefined,
      );
    };
    whenHydrated(() => whenIdle(load));
    return () => {
      isCancelled = true;
    };
  }, [isNavigating, Cards]);
  useEffect(() => {
    if (!loading) return;
    const timer = setTimeout(() => setIsSlow(true), SHOW_DELAY_MS);
    return () => {
      clearTimeout(timer);
      setIsSlow(false);
    };
  }, [loading]);
  return loading && isSlow ? Cards : undefined;
}
