import { type ComponentType, type MouseEvent, useRef, useState } from "react";
import type { LightboxProps } from "./lightbox.tsx";

/** A chunk of its own: most visitors to a page never open it. */
const load = () => import("./lightbox.tsx");

/** For whatever seems to be about to open it. */
export function readLightboxAhead(): void {
  // Whoever opens it asks again and is told what is wrong.
  load().catch(() => undefined);
}

/** Opens pictures over the whole window when its opener is pressed; where it can't come, `fallback` is called. */
export function useLightbox(fallback: () => void) {
  const opener = useRef<HTMLElement>(null);
  const [Lightbox, setLightbox] = useState<ComponentType<LightboxProps>>();
  const [start, setStart] = useState<number>();
  const open = (event: MouseEvent<HTMLElement>, index = 0) => {
    event.preventDefault();
    opener.current = event.currentTarget;
    load().then((module) => {
      // None comes to a page that is being left.
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
