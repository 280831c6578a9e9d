import { useMemo } from "react";
import { type Bounds, within } from "#app/lib/map/projection.ts";
import type { PropertyMap } from "./map-query.ts";
import { mergeOverlapping } from "./merge-overlapping.ts";
import type { SettledView } from "./use-live-map.ts";

/**
 * Returns the markers of an answer to render in the current view, and the numbers of those that are
 * visible.
 */
export function useInView(view: SettledView | undefined, answer: PropertyMap | undefined) {
  return useMemo(() => {
    if (!view || !answer) return undefined;
    const { seen, zoom } = view;
    const around = widened(seen);
    const all = mergeOverlapping(answer.clusters, answer.pins, zoom);
    return {
      clusters: all.clusters.filter((cluster) => within(around, cluster)),
      pins: all.pins.filter((pin) => within(around, pin)),
      groups: all.clusters.filter((cluster) => within(seen, cluster)).length,
      singles: all.pins.filter((pin) => within(seen, pin)).length,
    };
  }, [view, answer]);
}

/** Widens bounds by half, so that markers just outside are already rendered when they are moved into view. */
function widened({ west, south, east, north }: Bounds): Bounds {
  const [x, y] = [(east - west) / 4, (north - south) / 4];
  return { west: west - x, south: south - y, east: east + x, north: north + y };
}
