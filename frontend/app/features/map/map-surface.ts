import type { LiveMap } from "./engine.ts";

/**
 * MapLibre shows a hint for 100 ms when it ignores a gesture, and fails if the gestures are disabled before
 * that ends.
 */
const HINT_MS = 150;

/**
 * Lets the page scroll over the map until the map has the focus, by a tap, a click or the Tab key. While it
 * has the focus, one finger moves it and the wheel zooms. Also labels the map for screen readers.
 */
export function prepareSurface(map: LiveMap, name: string, help: string): void {
  const canvas = map.getCanvas();
  canvas.setAttribute("role", "application");
  canvas.setAttribute("aria-label", name);
  canvas.setAttribute("aria-describedby", help);
  let timer: ReturnType<typeof setTimeout>;
  canvas.addEventListener("focus", () => {
    timer = setTimeout(() => map.cooperativeGestures.disable(), HINT_MS);
  });
  canvas.addEventListener("blur", () => {
    clearTimeout(timer);
    map.cooperativeGestures.enable();
  });
  map.once("remove", () => clearTimeout(timer));
  map.on("click", ({ originalEvent: { target } }) => {
    if (target === canvas) canvas.focus({ preventScroll: true });
  });
  // A drag that begins and ends on a marker must not count as a click on it.
  let dragged = false;
  const container = map.getCanvasContainer();
  container.addEventListener("pointerdown", () => (dragged = false), { capture: true });
  map.on("dragstart", () => (dragged = true));
  container.addEventListener(
    "click",
    (event) => {
      // A click by keyboard or voice control has a `detail` of 0, and no pointerdown before it resets
      // `dragged`.
      if (!dragged || event.detail === 0) return;
      event.preventDefault();
      event.stopPropagation();
    },
    { capture: true },
  );
}
