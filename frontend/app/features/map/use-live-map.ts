import { type RefObject, useEffect, useEffectEvent, useState } from "react";
import type { Bounds } from "#app/lib/map/projection.ts";
import type { LiveMap } from "./engine.ts";
import { apiZoom } from "./live-view.ts";

/** The view of the map after a movement has ended. */
export interface SettledView {
  readonly seen: Bounds;
  /** As defined by the API. */
  readonly zoom: number;
}

/** Event data for movements that a visitor starts with a button or key of the site. */
export const BY_VISITOR = { visitor: true };

/** Why there is no interactive map: the browser can't draw it, or a script of it could not be loaded. */
export type MapFault = "unsupported" | "unloaded";

interface Listeners {
  /** Resolves to nothing if the browser can't draw the map. */
  start(container: HTMLElement): Promise<LiveMap | undefined>;
  onStart(map: LiveMap): void;
  /** `byVisitor` is false if the page itself moved the map: then no search follows. */
  onStop(view: SettledView, byVisitor: boolean): void;
  onMove(): void;
}

interface LiveMapState {
  /** Undefined until it is drawn. */
  readonly map: LiveMap | undefined;
  /** The element for the markers: within the canvas container, so that gestures on markers reach the map. */
  readonly overlay: HTMLElement | undefined;
  readonly fault: MapFault | undefined;
}

/** Starts the interactive map in an element, and reports its movements. */
export function useLiveMap(
  container: RefObject<HTMLDivElement | null>,
  listeners: Listeners,
): LiveMapState {
  const [state, setState] = useState<LiveMapState>({
    map: undefined,
    overlay: undefined,
    fault: undefined,
  });
  const start = useEffectEvent((element: HTMLElement) => listeners.start(element));
  const onStop = useEffectEvent((map: LiveMap, byVisitor: boolean) => {
    listeners.onStop(viewOf(map), byVisitor);
  });
  const onMove = useEffectEvent(() => listeners.onMove());
  const onStart = useEffectEvent((map: LiveMap) => listeners.onStart(map));

  useEffect(() => {
    let ended = false;
    let map: LiveMap | undefined;
    const fail = (fault: MapFault) => {
      if (!ended) setState({ map: undefined, overlay: undefined, fault });
    };
    const begin = async (element: HTMLElement) => {
      const started = await start(element);
      if (!started) return fail("unsupported");
      if (ended) return started.remove();
      map = started;
      const byVisitor = (event: object) =>
        ("originalEvent" in event && event.originalEvent != null) || "visitor" in event;
      // Movements by the wheel have no `originalEvent`.
      let visitor = false;
      started.on("movestart", (event) => {
        visitor = byVisitor(event) || started.scrollZoom.isActive();
        onMove();
      });
      started.on("moveend", (event) => {
        onStop(started, visitor || byVisitor(event));
        visitor = false;
      });
      started.on("resize", () => onStop(started, false));
      started.once("load", () => {
        const overlay = document.createElement("div");
        overlay.className = "pointer-events-none absolute inset-0 overflow-clip";
        started.getCanvasContainer().append(overlay);
        setState({ map: started, overlay, fault: undefined });
        onStart(started);
        onStop(started, false);
      });
    };
    if (container.current) begin(container.current).catch(() => fail("unloaded"));
    return () => {
      ended = true;
      map?.remove();
    };
  }, [container]);
  return state;
}

function viewOf(map: LiveMap): SettledView {
  const seen = map.getBounds();
  return {
    seen: {
      west: seen.getWest(),
      south: seen.getSouth(),
      east: seen.getEast(),
      north: seen.getNorth(),
    },
    zoom: apiZoom(map),
  };
}
