import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { type Point, type Spot, unproject, worldSize } from "#app/lib/map/projection.ts";
import { buttonStyle } from "#app/ui/button.ts";
import { enclosed, FEWEST_CORNERS, MOST_CORNERS } from "./address.ts";
import { AreaShape } from "./area-shape.tsx";
import { fromScreen } from "./camera.ts";
import { moveByKey } from "./gestures.ts";
import { mapMessages } from "./messages.ts";
import type { Motion } from "./motion.ts";
import { whereabouts } from "./whereabouts.ts";

/** A press that moves less, in pixels, sets a corner; one that moves more draws. */
const SLACK = 8;
/** The cross is led by smaller steps than the map alone. */
const FINE = 0.25;

interface DrawingProps {
  readonly motion: Motion;
  /** Below the map, where what one can do stands: the ground is to be seen whole. */
  readonly panel: Element;
  /** Changes when the map has come to rest. */
  readonly rest: unknown;
  say(text: string): void;
  onArea(corners: readonly Spot[]): void;
  onCancel(): void;
}

/**
 * Draws an area: in one stroke of a pointer, corner by corner with clicks, or with keys, which lead
 * the ground under a cross in the middle.
 */
export function Drawing({ motion, panel, rest, say, onArea, onCancel }: DrawingProps) {
  const t = useMessages(mapMessages);
  const locale = useLocale();
  const [corners, setCorners] = useState<readonly Point[]>([]);
  const [stroke, setStroke] = useState<readonly Point[]>([]);
  const sheet = useRef<HTMLDivElement>(null);
  const began = useRef<Point>(undefined);
  const led = useRef(false);

  useEffect(() => sheet.current?.focus(), []);

  const cross = () => fromScreen(motion.camera, motion.size, motion.middle);
  const where = (point: Point) => whereabouts(locale, unproject(point));

  // Only when keys led it there: whoever draws with a pointer sees where it is.
  // biome-ignore lint/correctness/useExhaustiveDependencies: told when the map comes to rest
  useEffect(() => {
    if (led.current) say(t.here(where(cross())));
    led.current = false;
  }, [rest]);

  const set = (point: Point) => {
    if (corners.length >= MOST_CORNERS) return say(t.full);
    setCorners([...corners, point]);
    say(t.corner(corners.length + 1, where(point)));
  };
  const undo = () => {
    if (corners.length === 0) return say(t.given);
    setCorners(corners.slice(0, -1));
    say(t.taken(corners.length - 1));
  };
  const finish = (line: readonly Point[]) => {
    const area = enclosed(line, worldSize(motion.camera.zoom));
    if (!area) return say(t.tooFew);
    say(t.finished(area.length));
    onArea(area);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== sheet.current && event.key !== "Escape") return;
    if (event.key === "Enter" || event.key === " ") set(cross());
    else if (event.key === "Backspace") undo();
    else if (event.key === "Escape") onCancel();
    else if (moveByKey(motion, event, FINE)) led.current = true;
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  const pointOf = (event: PointerEvent<HTMLElement>) => {
    const { left, top } = event.currentTarget.getBoundingClientRect();
    const pixel = { x: event.clientX - left, y: event.clientY - top };
    return { pixel, point: fromScreen(motion.camera, motion.size, pixel) };
  };
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0 || !event.isPrimary) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    const { pixel, point } = pointOf(event);
    began.current = pixel;
    setStroke([point]);
  };
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    if (began.current && event.isPrimary) {
      const { point } = pointOf(event);
      setStroke((line) => [...line, point]);
    }
  };
  const onPointerUp = (event: PointerEvent<HTMLElement>) => {
    const from = began.current;
    if (!from || !event.isPrimary) return;
    began.current = undefined;
    setStroke([]);
    const { pixel, point } = pointOf(event);
    const world = worldSize(motion.camera.zoom);
    const reach = Math.max(
      ...stroke.map(({ x, y }) => Math.hypot((x - point.x) * world, (y - point.y) * world)),
    );
    if (reach > SLACK || Math.hypot(pixel.x - from.x, pixel.y - from.y) > SLACK) {
      finish([...corners, ...stroke]);
    } else set(point);
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape is for all within
    <div data-still="" className="absolute inset-0 z-30" onKeyDown={onKeyDown}>
      <div
        ref={sheet}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: an application takes keys
        tabIndex={0}
        role="application"
        aria-label={t.drawing}
        aria-describedby="map-drawing"
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={onPointerUp}
        onPointerCancel={onPointerUp}
        className="group absolute inset-0 cursor-crosshair touch-none outline-offset-[-4px]"
      >
        <AreaShape points={[...corners, ...stroke]} dots={corners} />
        <svg
          viewBox="-20 -20 40 40"
          aria-hidden="true"
          className="pointer-events-none absolute top-1/2 left-1/2 hidden size-10 -translate-1/2 fill-none stroke-ink group-focus-visible:block"
          strokeWidth={2}
        >
          <path d="M-18 0H-5M5 0H18M0-18V-5M0 5V18" />
        </svg>
      </div>
      {createPortal(
        <div className="order-first flex w-full flex-wrap items-center gap-x-4 gap-y-2 py-3">
          <p id="map-drawing" className="basis-80 grow">
            {t.drawHint}
          </p>
          <div className="flex flex-wrap gap-2">
            <button
              type="button"
              className={`${buttonStyle.primary} disabled:cursor-default disabled:opacity-45`}
              disabled={corners.length < FEWEST_CORNERS}
              onClick={() => finish(corners)}
            >
              {t.finish}
            </button>
            <button type="button" className={buttonStyle.outline} onClick={() => set(cross())}>
              {t.setCorner}
            </button>
            {corners.length > 0 ? (
              <button type="button" className={buttonStyle.outline} onClick={undo}>
                {t.undo}
              </button>
            ) : null}
            <button type="button" className={buttonStyle.quiet} onClick={onCancel}>
              {t.cancel}
            </button>
          </div>
        </div>,
        panel,
      )}
    </div>
  );
}
