import { type ComponentType, type MouseEvent, useRef, useState } from "react";
import type { LightboxProps } from "./lightbox.tsx";

/** Loads the lightbox, which is its own chunk: most visitors never open it. */
const load = () => import("./lightbox.tsx");

/** Preloads the lightbox when the visitor seems about to open it. */
export function preloadLightbox(): void {
  // Opening it loads it again, and handles the error then.
  load().catch(() => undefined);
}

/**
 * Returns `open`, a click handler that opens the lightbox, and `over`, which renders it. Calls `fallback` if the
 * lightbox can't be loaded.
 */
export function useLightbox(fallback: () => void) {
  const opener = useRef<HTMLElement>(null);
  const [Lightbox, setLightbox] = useState<ComponentType<LightboxProps>>();
  const [start, setStart] = useState<number>();
  const open = (event: MouseEvent<HTMLElement>, index = 0) => {
    event.preventDefault();
    opener.current = event.currentTarget;
    load().then((module) => {
      // The import resolves to undefined while the page is being left.
      setLightbox(() => module?.Lightbox);
      setStart(index);
    }, fallback);
  };
  const over = (pictures: Pick<LightboxProps, "pictures" | "title" | "alt">) =>
    Lightbox ? (
      <Lightbox {...pictures} start={start} onClose={() => setStart(undefined)} opener={opener} />
    ) : null;
  return { open, over };
}
