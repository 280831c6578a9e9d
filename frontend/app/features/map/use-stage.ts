import {
  type RefObject,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import type { Camera, Size } from "./camera.ts";
import { moveByHand } from "./gestures.ts";
import type { Motion, Mover } from "./motion.ts";
import { placeLayers } from "./placing.ts";

const HINT_MS = 1_600;

/** Where the map has come to rest. */
export interface Rest {
  readonly camera: Camera;
  readonly size: Size;
}

interface Stage {
  /** Of the element that the map is seen through. */
  readonly ref: RefObject<HTMLDivElement | null>;
  /** Nothing before the map has a size. */
  readonly rest: Rest | undefined;
  /** A wheel turned over the map that was not the map's. */
  readonly hinting: boolean;
}

/** Lets hands move the map, and places what is on it as it moves. */
export function useStage(
  motion: Motion,
  whenAtRest: (camera: Camera, size: Size, mover: Mover) => void,
): Stage {
  const ref = useRef<HTMLDivElement>(null);
  const [rest, setRest] = useState<Rest>();
  const [hinting, setHinting] = useState(false);

  const onRest = useEffectEvent((camera: Camera, size: Size, mover: Mover) => {
    setRest({ camera, size });
    whenAtRest(camera, size, mover);
  });

  useEffect(() => {
    const element = ref.current;
    if (!element) return;
    let hint: ReturnType<typeof setTimeout>;
    const silence = motion.tell({
      onMove: (camera, size) => placeLayers(element, camera, size),
      onRest: (camera, size, mover) => onRest(camera, size, mover),
    });
    const letGo = moveByHand(element, motion, {
      onUnheldWheel: () => {
        clearTimeout(hint);
        setHinting(true);
        hint = setTimeout(() => setHinting(false), HINT_MS);
      },
    });
    const observer = new ResizeObserver(() => {
      const { clientWidth: width, clientHeight: height } = element;
      if (width > 0 && height > 0) motion.resize({ width, height });
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      letGo();
      silence();
      clearTimeout(hint);
    };
  }, [motion]);

  // What React has just made stands where the rest does.
  useLayoutEffect(() => {
    if (ref.current && motion.size.width > 0) placeLayers(ref.current, motion.camera, motion.size);
  });

  return { ref, rest, hinting };
}
