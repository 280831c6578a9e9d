import type { MapColours } from "./map-colours.ts";

/** Returns the style of an area while it is drawn: in the theme's colours, as when it is finished. */
export function drawingStyles({ ink, sun }: Pick<MapColours, "ink" | "sun">) {
  return {
    fillColor: sun,
    fillOpacity: 0.25,
    outlineColor: ink,
    outlineWidth: 2,
    closingPointColor: sun,
    closingPointOutlineColor: ink,
    closingPointWidth: 6,
    coordinatePointColor: ink,
    coordinatePointOutlineColor: sun,
    coordinatePointWidth: 4,
  } as const;
}
