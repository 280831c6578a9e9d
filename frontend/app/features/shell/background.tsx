import { type ComponentType, useEffect, useState } from "react";
import { whenIdle } from "#app/lib/browser/when-idle.ts";
import type { BackgroundProps } from "./background-work.tsx";

/** What goes on behind a page that is shown: its script comes when the browser has nothing better to do. */
export function Background(props: BackgroundProps) {
  const [Work, setWork] = useState<ComponentType<BackgroundProps>>();
  useEffect(() => {
    whenIdle(async () => {
      const { BackgroundWork } = await import("./background-work.tsx");
      setWork(() => BackgroundWork);
    });
  }, []);
  return Work ? <Work {...props} /> : null;
}
