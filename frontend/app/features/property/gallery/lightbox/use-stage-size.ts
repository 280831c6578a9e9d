import { type RefObject, useLayoutEffect, useState } from "react";
import type { Size } from "./view.ts";

/** Returns the current size of an element, also after the screen is rotated. */
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
