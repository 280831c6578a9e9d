import { type RefObject, useLayoutEffect, useState } from "react";
import type { Size } from "./view.ts";

/** How large an element is, and stays so when the screen is turned. */
export function useStageSize(element: RefObject<HTMLElement | null>): Size | undefined {
  const [size, setSize] = useState<Size>();
  useLayoutEffect(() => {
    const target = element.current;
    if (!target) return;
    const observer = new ResizeObserver(([entry]) => {
      if (!entry) return;
      const { width, height } = entry.contentRect;
      if (width > 0 && height > 0) setSize({ width, height });
    });
    observer.observe(target);
    return () => observer.disconnect();
  }, [element]);
  return size;
}
