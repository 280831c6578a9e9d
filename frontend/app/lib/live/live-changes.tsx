import { type ComponentType, useEffect, useState } from "react";
import { whenIdle } from "#app/lib/browser/when-idle.ts";

/** Follows the change stream once the page is shown and the browser has nothing better to do. */
export function LiveChanges() {
  const [Following, follow] = useState<ComponentType>();
  useEffect(() => {
    whenIdle(async () => {
      const { Following: loaded } = await import("./following.tsx");
      follow(() => loaded);
    });
  }, []);
  return Following ? <Following /> : null;
}
