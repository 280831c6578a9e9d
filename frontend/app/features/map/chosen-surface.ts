import type { LiveMap } from "./engine.ts";

/** MapLibre shows for a tenth of a second that a gesture was not its, and fails if that ends before. */
const NOTICE_MS = 150;

/**
 * The page scrolls over the map until the map is chosen: by a tap, a click or the Tab key. Then one
 * finger moves it and the wheel zooms, until something else is chosen. Says what it is to those who
 * don't see it.
 */
export function prepareSurface(map: LiveMap, name: string, help: string): void {
  const canvas = map.getCanvas();
  canvas.setAttribute("role", "application");
  canvas.setAttribute("aria-label", name);
  canvas.setAttribute("aria-describedby", help);
  let choice: ReturnType<typeof setTimeout>;
  canvas.addEventListener("focus", () => {
    choice = setTimeout(() => map.cooperativeGestures.disable(), NOTICE_MS);
  });
  canvas.addEventListener("blur", () => {
    clearTimeout(choice);
    map.cooperativeGestures.enable();
  });
  map.once("remove", () => clearTimeout(choice));
  map.on("click", ({ originalEvent: { target } }) => {
    if (target === canvas) canvas.focus({ preventScroll: true });
  });
  // A drag that begins and ends on a marker is no click on it.
  let dragged = false;
  const container = map.getCanvasContainer();
  container.addEventListener("pointerdown", () => (dragged = false), { capture: true });
  map.on("dragstart", () => (dragged = true));
  container.addEventListener(
    "click",
    (event) => {
      // A click of keys or of a voice has no count, and no press before it.
      if (!dragged || event.detail === 0) return;
      event.preventDefault();
      event.stopPropagation();
    },
    { capture: true },
  );
}
