import { type ComponentType, useEffect, useState } from "react";
import { whenHydrated } from "#app/lib/browser/boundary.tsx";
import { whenIdle } from "#app/lib/browser/when-idle.ts";

/**
 * Loads the background tasks of a page, live updates among them. Their script is loaded once the page is
 * hydrated and the browser is idle.
 */
export function Background() {
  const [Work, setWork] = useState<ComponentType>();
  useEffect(() => {
    const stop = new AbortController();
    const load = async () => {
      try {
        const { BackgroundWork } = await import("./background-work.tsx");
        setWork(() => BackgroundWork);
      } catch {
        // Without a connection the script can't be loaded: try again once there is one.
        addEventListener("online", load, { once: true, signal: stop.signal });
      }
    };
    whenHydrated(() => whenIdle(load));
    return () => stop.abort();
  }, []);
  return Work ? <Work /> : null;
}
