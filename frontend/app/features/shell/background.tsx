import { type ComponentType, useEffect, useState } from "react";
import { whenHydrated } from "#app/lib/browser/boundary.tsx";
import { whenIdle } from "#app/lib/browser/when-idle.ts";

/**
 * What goes on behind a page that is shown, news among it: its script comes when the page is hydrated
 * and the browser has nothing better to do.
 */
export function Background() {
  const [Work, setWork] = useState<ComponentType>();
  useEffect(() => {
    const left = new AbortController();
    const load = async () => {
      try {
        const { BackgroundWork } = await import("./background-work.tsx");
        setWork(() => BackgroundWork);
      } catch {
        // Without a connection it can't come; it comes with one.
        addEventListener("online", load, { once: true, signal: left.signal });
      }
    };
    whenHydrated(() => whenIdle(load));
    return () => left.abort();
  }, []);
  return Work ? <Work /> : null;
}
