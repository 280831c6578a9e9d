import type { Point } from "#app/lib/map/projection.ts";
import type { Motion } from "./motion.ts";

/** A press that strays farther than this, in pixels, is a drag and opens nothing. */
const SLACK = 5;
const WHEEL_STEP = 1 / 320;
const LINE = 20;

interface Hands {
  /** A wheel that turned over a map nobody has chosen: the page's, not the map's. */
  onUnheldWheel(): void;
}

/**
 * Lets pointers, wheel and double click move the map. The wheel is the map's only with Ctrl (as a
 * pinch on a touchpad says it) or while the focus is in the map, so that the page scrolls as ever.
 * What carries `data-still` (buttons, panels) keeps its presses to itself.
 */
export function moveByHand(element: HTMLElement, motion: Motion, hands: Hands): () => void {
  const fingers = new Map<number, Point>();
  let start: Point | undefined;
  let dragging = false;

  const at = (event: MouseEvent): Point => {
    const { left, top } = element.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  };
  const still = (event: Event) =>
    event.target instanceof Element && event.target.closest("[data-still]");

  const down = (event: PointerEvent) => {
    if (still(event) || event.button !== 0) return;
    fingers.set(event.pointerId, at(event));
    if (fingers.size === 1) {
      start = at(event);
      dragging = false;
    } else dragging = true;
  };

  const move = (event: PointerEvent) => {
    const before = fingers.get(event.pointerId);
    if (!before) return;
    const now = at(event);
    if (!dragging) {
      if (start && Math.hypot(now.x - start.x, now.y - start.y) < SLACK) return;
      dragging = true;
      element.dataset.dragging = "";
      // Only now: a captured press on a marker would no longer be the marker's.
      element.setPointerCapture(event.pointerId);
    }
    const [other] = [...fingers].filter(([id]) => id !== event.pointerId).map(([, spot]) => spot);
    fingers.set(event.pointerId, now);
    if (!other) {
      motion.push({ x: now.x - before.x, y: now.y - before.y });
      return;
    }
    const spread = (finger: Point) =>
      Math.max(Math.hypot(finger.x - other.x, finger.y - other.y), 1);
    const middle = (finger: Point) => ({
      x: (finger.x + other.x) / 2,
      y: (finger.y + other.y) / 2,
    });
    motion.push({ x: middle(now).x - middle(before).x, y: middle(now).y - middle(before).y });
    motion.zoomAt(motion.camera.zoom + Math.log2(spread(now) / spread(before)), middle(now));
  };

  const up = (event: PointerEvent) => {
    if (!fingers.delete(event.pointerId) || fingers.size > 0) return;
    delete element.dataset.dragging;
    // The click that ends a drag comes right after and is swallowed; then all is as before.
    setTimeout(() => {
      if (fingers.size === 0) dragging = false;
    });
  };

  const click = (event: MouseEvent) => {
    if (!dragging || still(event)) return;
    event.preventDefault();
    event.stopPropagation();
  };

  const doubleClick = (event: MouseEvent) => {
    if (still(event) || (event.target as Element).closest("a, button")) return;
    motion.zoomBy(event.shiftKey ? -1 : 1, at(event));
  };

  const wheel = (event: WheelEvent) => {
    const chosen = event.ctrlKey || event.metaKey || element.contains(document.activeElement);
    if (!chosen) {
      hands.onUnheldWheel();
      return;
    }
    event.preventDefault();
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? LINE : 1;
    // A pinch on a touchpad turns the wheel by little.
    const pinch = event.ctrlKey && Math.abs(event.deltaY) < 50 ? 4 : 1;
    const by = Math.max(-120, Math.min(120, event.deltaY * lines)) * WHEEL_STEP * pinch;
    motion.zoomAt(motion.camera.zoom - by, at(event));
  };

  const noDrag = (event: Event) => event.preventDefault();
  const off = new AbortController();
  const { signal } = off;
  element.addEventListener("pointerdown", down, { signal });
  element.addEventListener("pointermove", move, { signal });
  element.addEventListener("pointerup", up, { signal });
  element.addEventListener("pointercancel", up, { signal });
  element.addEventListener("click", click, { signal, capture: true });
  element.addEventListener("dblclick", doubleClick, { signal });
  element.addEventListener("wheel", wheel, { signal, passive: false });
  element.addEventListener("dragstart", noDrag, { signal });
  return () => off.abort();
}

const STEP = 0.2;
const KEYS: Readonly<Record<string, readonly [right: number, down: number]>> = {
  ArrowLeft: [-STEP, 0],
  ArrowRight: [STEP, 0],
  ArrowUp: [0, -STEP],
  ArrowDown: [0, STEP],
};

/** Moves the map as a key says, a fine step with Shift; whether the key said anything. */
export function moveByKey(
  motion: Motion,
  event: { key: string; shiftKey: boolean },
  stride = 1,
): boolean {
  const way = KEYS[event.key];
  if (way) {
    const share = event.shiftKey ? stride / 5 : stride;
    motion.step(way[0] * share, way[1] * share);
  } else if (event.key === "+" || event.key === "=") motion.zoomBy(1);
  else if (event.key === "-" || event.key === "_") motion.zoomBy(-1);
  else return false;
  return true;
}
