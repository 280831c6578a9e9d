import { useMemo } from "react";
import { type Bounds, within } from "#app/lib/map/projection.ts";
import { gathered } from "./gather.ts";
import type { PropertyMap } from "./map-query.ts";
import type { Rest } from "./use-live-map.ts";

/** What of an answer is drawn where the map has come to rest, and how much of it is seen there. */
export function useInView(rest: Rest | undefined, answer: PropertyMap | undefined) {
  return useMemo(() => {
    if (!rest || !answer) return undefined;
    const { seen, zoom } = rest;
    const around = widened(seen);
    const all = gathered(answer.clusters, answer.pins, zoom);
    return {
      clusters: all.clusters.filter((cluster) => within(around, cluster)),
      pins: all.pins.filter((pin) => within(around, pin)),
      groups: all.clusters.filter((cluster) => within(seen, cluster)).length,
      singles: all.pins.filter((pin) => within(seen, pin)).length,
    };
  }, [rest, answer]);
}

/** Half as much again: markers just outside are there when they are moved in. */
function widened({ west, south, east, north }: Bounds): Bounds {
  const [x, y] = [(east - west) / 4, (north - south) / 4];
  return { west: west - x, south: south - y, east: east + x, north: north + y };
}
