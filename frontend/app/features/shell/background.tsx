import { type ComponentType, useEffect, useState } from "react";
import { whenIdle } from "#app/lib/browser/when-idle.ts";

/** What goes on behind a page that is shown: its script comes when the browser has nothing better to do. */
export function Background() {
  const [Work, setWork] = useState<ComponentType>();
  useEffect(() => {
    whenIdle(async () => {
      const { BackgroundWork } = await import("./background-work.tsx");
      setWork(() => BackgroundWork);
    });
  }, []);
  return Work ? <Work /> : null;
}
