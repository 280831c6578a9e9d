import { useEffect, useEffectEvent, useRef, useState } from "react";
import { TerraDraw, TerraDrawFreehandMode, TerraDrawPolygonMode } from "terra-draw";
import { TerraDrawMapLibreGLAdapter } from "terra-draw-maplibre-gl-adapter";
import { useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { project, type Spot, worldSize } from "#app/lib/map/projection.ts";
import { MAX_CORNERS, MIN_CORNERS } from "#app/lib/search/search-area.ts";
import { Button } from "#app/ui/button.tsx";
import { drawingStyles } from "./drawing-styles.ts";
import { enclosedArea } from "./enclosed-area.ts";
import type { LiveMap } from "./engine.ts";
import { apiZoom } from "./live-view.ts";
import { mapColours } from "./map-colours.ts";
import { mapMessages } from "./messages.ts";
import { DIRECTIONS } from "./next-marker.ts";
import { whereabouts } from "./whereabouts.ts";

/** A press that moves less, in pixels, sets a corner. One that moves more draws. */
const CLICK_TOLERANCE = 8;
/** The distance, in pixels, that an arrow key moves the map under the cross. With Shift it is a fifth. */
const PAN_STEP = 40;
/**
 * The distance, in pixels, within which a press on the first or last corner ends the drawing: as wide as
 * these corners are drawn, and less than the smallest step of an arrow key.
 */
const CLOSE_DISTANCE = 7;
/** The same for a finger on the first corner: half the size of a touch target. */
const TOUCH_CLOSE_DISTANCE = 22;

/** The part of a key event that React's and the browser's own have in common. */
type KeyPress = Pick<
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
 * Draws an area over the homes: in one stroke of a finger or mouse, corner by corner with taps, or with the
 * keyboard, which moves the map under a cross in the middle.
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
        pointerDistance: CLOSE_DISTANCE,
        showCoordinatePoints: true,
        keyEvents: null,
      }),
  );
  const draw = useRef<TerraDraw>(undefined);
  const sheet = useRef<HTMLDivElement>(null);

  const describe = (spot: Spot) => whereabouts(locale, spot);
  const finish = (line: readonly Spot[]) => {
    const area = enclosedArea(line.map(project), worldSize(apiZoom(map)));
    if (area) onArea(area);
    else announce(t.tooFew);
  };
  const onFreehand = useEffectEvent(finish);
  const isLast = ({ lng, lat }: Spot) => {
    const last = corners.at(-1);
    return last?.lng === lng && last.lat === lat;
  };
  const isWithin = (corner: Spot | undefined, { x, y }: Point, distance: number) => {
    if (!corner) return false;
    const at = map.project([corner.lng, corner.lat]);
    return Math.hypot(at.x - x, at.y - y) < distance;
  };
  const addCorner = useEffectEvent((spot: Spot, tapped?: Point) => {
    // A press that ended the drawing adds no corner, and neither does another press on the last corner.
    if (draw.current?.getModeState() !== "drawing" || isLast(spot)) return;
    const isClosable = corners.length >= MIN_CORNERS;
    if (tapped && isClosable && isWithin(corners[0], tapped, TOUCH_CLOSE_DISTANCE)) {
      // Terra Draw has added a corner for this tap.
      polygon.undo();
      return finish(corners);
    }
    if (corners.length >= MAX_CORNERS) return announce(t.full);
    setCorners([...corners, spot]);
    announce(t.corner(corners.length + 1, describe(spot)));
  });

  useEffect(() => {
    const freehand = new TerraDrawFreehandMode({
      styles,
      drawInteraction: "click-drag",
      keyEvents: null,
    });
    const adapter = new TerraDrawMapLibreGLAdapter({ map, minPixelDragDistance: CLICK_TOLERANCE });
    const drawn = new TerraDraw({ adapter, modes: [freehand, polygon] });
    draw.current = drawn;
    drawn.start();
    drawn.setMode("freehand");
    drawn.on("finish", (id) => {
      const shape = drawn.getSnapshotFeature(id)?.geometry;
      if (shape?.type !== "Polygon") return;
      onFreehand((shape.coordinates[0] ?? []).map(([lng = 0, lat = 0]) => ({ lng, lat })));
    });
    const surface = map.getCanvasContainer();
    let isFinger = false;
    // Not every browser has the pointer type in its click events.
    const onPointerDown = ({ pointerType }: PointerEvent) => {
      isFinger = pointerType === "touch";
    };
    // A press that draws no line starts a polygon, and each further press adds a corner to it.
    const onClick = ({ lngLat, point }: { lngLat: Spot; point: Point }) => {
      if (drawn.getMode() === "freehand") {
        drawn.setMode("polygon");
        press(map, point);
      }
      addCorner({ lng: lngLat.lng, lat: lngLat.lat }, isFinger ? point : undefined);
    };
    surface.addEventListener("pointerdown", onPointerDown);
    map.on("click", onClick);
    map.cooperativeGestures.disable();
    sheet.current?.focus({ preventScroll: true });
    // On a phone the whole map fits on the screen, buttons included.
    map.getContainer().scrollIntoView({ block: "nearest" });
    return () => {
      map.off("click", onClick);
      surface.removeEventListener("pointerdown", onPointerDown);
      map.cooperativeGestures.enable();
      if (map.style) drawn.stop();
    };
  }, [map, polygon, styles]);

  const addCornerAtCross = () => {
    const { lng, lat } = map.getCenter();
    const cross = map.project({ lng, lat });
    // With the keyboard, only a return to the first corner ends the drawing.
    if (isWithin(corners.at(-1), cross, CLOSE_DISTANCE)) return;
    const drawn = draw.current;
    if (drawn?.getMode() !== "polygon") drawn?.setMode("polygon");
    press(map, cross);
    addCorner({ lng, lat });
  };
  const undo = () => {
    if (corners.length === 0) return announce(t.given);
    polygon.undo();
    setCorners(corners.slice(0, -1));
    announce(t.taken(corners.length - 1));
  };

  const onKeyDown = (event: KeyPress) => {
    const isOnSheet = event.target === sheet.current;
    const isOnMap = event.target === map.getCanvas();
    if (event.key === "Escape") onCancel();
    else if (event.key === "Backspace" && (isOnSheet || isOnMap)) undo();
    else if (!isOnSheet) return;
    else if (event.key === "Enter" || event.key === " ") addCornerAtCross();
    else if (event.key === "+" || event.key === "=") map.zoomIn();
    else if (event.key === "-") map.zoomOut();
    else if (DIRECTIONS[event.key]) {
      const [right, down] = DIRECTIONS[event.key] ?? [0, 0];
      const step = event.shiftKey ? PAN_STEP / 5 : PAN_STEP;
      map.panBy([right * step, down * step], { animate: false });
      announce(t.here(describe(map.getCenter())));
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const onMapKey = useEffectEvent(onKeyDown);
  // A click moves the focus to the map, so its keys are handled too.
  useEffect(() => {
    const surface = map.getCanvasContainer();
    const listener = (event: KeyboardEvent) => onMapKey(event);
    surface.addEventListener("keydown", listener);
    return () => surface.removeEventListener("keydown", listener);
  }, [map]);

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it handles Escape for all elements within
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
          <Button aria-disabled={corners.length < MIN_CORNERS} onClick={() => finish(corners)}>
            {t.finish}
          </Button>
          <Button look="outline" className="pointer-coarse:sr-only" onClick={addCornerAtCross}>
            {t.setCorner}
          </Button>
          {/* It stays when no corner is left, because it may have the focus. */}
          <Button look="outline" aria-disabled={corners.length === 0} onClick={undo}>
            {t.undo}
          </Button>
          <Button look="quiet" onClick={onCancel}>
            {t.cancel}
          </Button>
        </div>
      </div>
    </div>
  );
}

/** Dispatches the events of a pointer press on the map, so that the keyboard can add a corner. */
function press(map: LiveMap, { x, y }: { x: number; y: number }): void {
  const canvas = map.getCanvas();
  const { left, top } = canvas.getBoundingClientRect();
  const at = { clientX: left + x, clientY: top + y, isPrimary: true, bubbles: false, button: 0 };
  for (const type of ["pointermove", "pointerdown", "pointerup"]) {
    canvas.dispatchEvent(new PointerEvent(type, at));
  }
}
