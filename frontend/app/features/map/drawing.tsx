import { useEffect, useEffectEvent, useRef, useState } from "react";
import { TerraDraw, TerraDrawFreehandMode, TerraDrawPolygonMode } from "terra-draw";
import { TerraDrawMapLibreGLAdapter } from "terra-draw-maplibre-gl-adapter";
import { useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { project, type Spot, worldSize } from "#app/lib/map/projection.ts";
import { MIN_CORNERS, MAX_CORNERS } from "#app/lib/search/search-area.ts";
import { buttonStyle } from "#app/ui/button.tsx";
import { drawingStyles } from "./drawing-styles.ts";
import { enclosed } from "./enclosed.ts";
import type { LiveMap } from "./engine.ts";
import { apiZoom } from "./live-view.ts";
import { mapColours } from "./map-colours.ts";
import { mapMessages } from "./messages.ts";
import { WAYS } from "./next-marker.ts";
import { whereabouts } from "./whereabouts.ts";

/** A press that moves less, in pixels, sets a corner; one that moves more draws. */
const SLACK = 8;
/** How far, in pixels, a key leads the ground under the cross; a fifth of it with Shift. */
const STRIDE = 40;
/**
 * How near, in pixels, a press on the first or the last corner ends the drawing: as wide as these are drawn, and
 * less than the least stride.
 */
const REACH = 7;
/** How near to the first corner a finger ends it: half of what one hits. */
const FINGER_REACH = 22;

/** A key that is pressed, as React and as the browser itself tell of it. */
type Press = Pick<
  KeyboardEvent,
  "key" | "shiftKey" | "target" | "preventDefault" | "stopPropagation"
>;

interface Point {
  readonly x: number;
  readonly y: number;
}

interface DrawingProps {
  readonly map: LiveMap;
  announce(text: string): void;
  onArea(corners: readonly Spot[]): void;
  onCancel(): void;
}

/**
 * Draws an area over the homes: in one stroke of a finger or mouse, corner by corner with taps, or
 * with keys, which lead the ground under a cross in the middle.
 */
export default function Drawing({ map, announce, onArea, onCancel }: DrawingProps) {
  const t = useMessages(mapMessages);
  const locale = useLocale();
  const [corners, setCorners] = useState<readonly Spot[]>([]);
  const [styles] = useState(() => drawingStyles(mapColours(map.getContainer())));
  const [polygon] = useState(
    () =>
      new TerraDrawPolygonMode({
        styles,
        pointerDistance: REACH,
        showCoordinatePoints: true,
        keyEvents: null,
      }),
  );
  const draw = useRef<TerraDraw>(undefined);
  const sheet = useRef<HTMLDivElement>(null);

  const where = (spot: Spot) => whereabouts(locale, spot);
  const finish = (line: readonly Spot[]) => {
    const area = enclosed(line.map(project), worldSize(apiZoom(map)));
    if (area) onArea(area);
    else announce(t.tooFew);
  };
  const finished = useEffectEvent(finish);
  const isLast = ({ lng, lat }: Spot) => {
    const last = corners.at(-1);
    return last?.lng === lng && last.lat === lat;
  };
  const isWithin = (corner: Spot | undefined, { x, y }: Point, reach: number) => {
    if (!corner) return false;
    const at = map.project([corner.lng, corner.lat]);
    return Math.hypot(at.x - x, at.y - y) < reach;
  };
  const set = useEffectEvent((spot: Spot, tapped?: Point) => {
    // A press that ended the drawing set no corner, nor did another one on the last.
    if (draw.current?.getModeState() !== "drawing" || isLast(spot)) return;
    const isWhole = corners.length >= MIN_CORNERS;
    if (tapped && isWhole && isWithin(corners[0], tapped, FINGER_REACH)) {
      // The tap has set a corner of its own there.
      polygon.undo();
      return finish(corners);
    }
    if (corners.length >= MAX_CORNERS) return announce(t.full);
    setCorners([...corners, spot]);
    announce(t.corner(corners.length + 1, where(spot)));
  });

  useEffect(() => {
    const freehand = new TerraDrawFreehandMode({
      styles,
      drawInteraction: "click-drag",
      keyEvents: null,
    });
    const adapter = new TerraDrawMapLibreGLAdapter({ map, minPixelDragDistance: SLACK });
    const drawn = new TerraDraw({ adapter, modes: [freehand, polygon] });
    draw.current = drawn;
    drawn.start();
    drawn.setMode("freehand");
    drawn.on("finish", (id) => {
      const shape = drawn.getSnapshotFeature(id)?.geometry;
      if (shape?.type !== "Polygon") return;
      finished((shape.coordinates[0] ?? []).map(([lng = 0, lat = 0]) => ({ lng, lat })));
    });
    const surface = map.getCanvasContainer();
    let isFinger = false;
    // Not every browser says it of a click.
    const pressed = ({ pointerType }: PointerEvent) => {
      isFinger = pointerType === "touch";
    };
    // A press that draws nothing sets a corner, and those that follow do.
    const corner = ({ lngLat, point }: { lngLat: Spot; point: Point }) => {
      if (drawn.getMode() === "freehand") {
        drawn.setMode("polygon");
        press(map, point);
      }
      set({ lng: lngLat.lng, lat: lngLat.lat }, isFinger ? point : undefined);
    };
    surface.addEventListener("pointerdown", pressed);
    map.on("click", corner);
    map.cooperativeGestures.disable();
    sheet.current?.focus({ preventScroll: true });
    // On a phone the whole map fits on the screen, buttons included.
    map.getContainer().scrollIntoView({ block: "nearest" });
    return () => {
      map.off("click", corner);
      surface.removeEventListener("pointerdown", pressed);
      map.cooperativeGestures.enable();
      if (map.style) drawn.stop();
    };
  }, [map, polygon, styles]);

  const setAtCross = () => {
    const { lng, lat } = map.getCenter();
    const cross = map.project({ lng, lat });
    // By keys only what is led back to the first corner ends there.
    if (isWithin(corners.at(-1), cross, REACH)) return;
    const drawn = draw.current;
    if (drawn?.getMode() !== "polygon") drawn?.setMode("polygon");
    press(map, cross);
    set({ lng, lat });
  };
  const undo = () => {
    if (corners.length === 0) return announce(t.given);
    polygon.undo();
    setCorners(corners.slice(0, -1));
    announce(t.taken(corners.length - 1));
  };

  const onKeyDown = (event: Press) => {
    const isOnSheet = event.target === sheet.current;
    const isOnMap = event.target === map.getCanvas();
    if (event.key === "Escape") onCancel();
    else if (event.key === "Backspace" && (isOnSheet || isOnMap)) undo();
    else if (!isOnSheet) return;
    else if (event.key === "Enter" || event.key === " ") setAtCross();
    else if (event.key === "+" || event.key === "=") map.zoomIn();
    else if (event.key === "-") map.zoomOut();
    else if (WAYS[event.key]) {
      const [right, down] = WAYS[event.key] ?? [0, 0];
      const stride = event.shiftKey ? STRIDE / 5 : STRIDE;
      map.panBy([right * stride, down * stride], { animate: false });
      announce(t.here(where(map.getCenter())));
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const onMapKey = useEffectEvent(onKeyDown);
  // A click sets a corner, and from then on the keys are the map's.
  useEffect(() => {
    const surface = map.getCanvasContainer();
    const listener = (event: KeyboardEvent) => onMapKey(event);
    surface.addEventListener("keydown", listener);
    return () => surface.removeEventListener("keydown", listener);
  }, [map]);

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape is for all within
    <div className="pointer-events-none absolute inset-0 z-30" onKeyDown={onKeyDown}>
      <div
        ref={sheet}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: an application takes keys
        tabIndex={0}
        role="application"
        aria-label={t.drawing}
        aria-describedby="map-drawing"
        className="group absolute inset-0 outline-offset-[-4px]"
      >
        <svg
          viewBox="-20 -20 40 40"
          aria-hidden="true"
          className="absolute top-1/2 left-1/2 hidden size-10 -translate-1/2 fill-none stroke-ink group-focus-visible:block"
          strokeWidth={2}
        >
          <path d="M-18 0H-5M5 0H18M0-18V-5M0 5V18" />
        </svg>
      </div>
      <div className="pointer-events-auto absolute inset-x-3 bottom-3 mx-auto flex max-w-xl flex-col gap-3 rounded-card border border-line bg-surface p-3 text-sm raised">
        <p id="map-drawing" className="px-1">
          <span className="pointer-coarse:hidden">{t.drawHint}</span>
          <span className="hidden pointer-coarse:inline">{t.drawByFinger}</span>
        </p>
        <div className="flex flex-wrap gap-2">
          <button
            type="button"
            className={buttonStyle.primary}
            aria-disabled={corners.length < MIN_CORNERS}
            onClick={() => finish(corners)}
          >
            {t.finish}
          </button>
          <button
            type="button"
            className={`${buttonStyle.outline} pointer-coarse:sr-only`}
            onClick={setAtCross}
          >
            {t.setCorner}
          </button>
          {/* It stays without a corner: whoever has pressed it by keys still stands on it. */}
          <button
            type="button"
            className={buttonStyle.outline}
            aria-disabled={corners.length === 0}
            onClick={undo}
          >
            {t.undo}
          </button>
          <button type="button" className={buttonStyle.quiet} onClick={onCancel}>
            {t.cancel}
          </button>
        </div>
      </div>
    </div>
  );
}

/** A press on the map, as a pointer's would be: how keys set a corner. */
function press(map: LiveMap, { x, y }: { x: number; y: number }): void {
  const canvas = map.getCanvas();
  const { left, top } = canvas.getBoundingClientRect();
  const at = { clientX: left + x, clientY: top + y, isPrimary: true, bubbles: false, button: 0 };
  for (const type of ["pointermove", "pointerdown", "pointerup"]) {
    canvas.dispatchEvent(new PointerEvent(type, at));
  }
}
