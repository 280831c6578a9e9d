import { type RefObject, useEffect, useEffectEvent, useState } from "react";
import type { Bounds } from "#app/lib/map/projection.ts";
import type { LiveMap } from "./engine.ts";
import { apiZoom } from "./live-view.ts";

/** Where the map has come to rest. */
export interface Rest {
  readonly seen: Bounds;
  /** As the API counts it. */
  readonly zoom: number;
}

/** Told with a movement that a button or a key of ours caused: who wanted it. */
export const BY_VISITOR = { visitor: true };

interface Listeners {
  start(container: HTMLElement): Promise<LiveMap>;
  onStart(map: LiveMap): void;
  /** A search follows the visitor, never the page itself. */
  onRest(rest: Rest, byVisitor: boolean): void;
  onMove(): void;
}

interface LiveMapState {
  /** Nothing until it is drawn. */
  readonly map: LiveMap | undefined;
  /** Its markers' place: over the ground, and under the same hands. */
  readonly overlay: HTMLElement | undefined;
  /** The browser can't draw it. */
  readonly lost: boolean;
}

/** Starts the moving map in an element and tells of what it does. */
export function useLiveMap(
  container: RefObject<HTMLDivElement | null>,
  listeners: Listeners,
): LiveMapState {
  const [state, setState] = useState<LiveMapState>({
    map: undefined,
    overlay: undefined,
    lost: false,
  });
  const start = useEffectEvent((element: HTMLElement) => listeners.start(element));
  const onRest = useEffectEvent((map: LiveMap, byVisitor: boolean) => {
    listeners.onRest(restOf(map), byVisitor);
  });
  const onMove = useEffectEvent(() => listeners.onMove());
  const onStart = useEffectEvent((map: LiveMap) => listeners.onStart(map));

  useEffect(() => {
    let ended = false;
    let map: LiveMap | undefined;
    const begin = async (element: HTMLElement) => {
      const started = await start(element);
      if (ended) return started.remove();
      map = started;
      const byVisitor = (event: object) =>
        ("originalEvent" in event && event.originalEvent != null) || "visitor" in event;
      // What a wheel moves names no event of its own.
      let visitor = false;
      started.on("movestart", (event) => {
        visitor = byVisitor(event) || started.scrollZoom.isActive();
        onMove();
      });
      started.on("moveend", (event) => {
        onRest(started, visitor || byVisitor(event));
        visitor = false;
      });
      started.on("resize", () => onRest(started, false));
      started.once("load", () => {
        const overlay = document.createElement("div");
        overlay.className = "pointer-events-none absolute inset-0 overflow-clip";
        started.getCanvasContainer().append(overlay);
        setState({ map: started, overlay, lost: false });
        onStart(started);
        onRest(started, false);
      });
    };
    if (container.current) {
      begin(container.current).catch(() => {
        if (!ended) setState({ map: undefined, overlay: undefined, lost: true });
      });
    }
    return () => {
      ended = true;
      map?.remove();
    };
  }, [container]);
  return state;
}

function restOf(map: LiveMap): Rest {
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
