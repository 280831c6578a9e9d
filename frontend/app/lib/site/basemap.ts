import { useRootData } from "./root-data.ts";

/** The path at which the door serves the operator's vector tiles, and their attribution. */
export const BASEMAP = {
  path: "/map/basemap.pmtiles",
  attribution: "© OpenStreetMap",
};

/** Returns whether the operator has configured vector tiles; without them the map draws its own background. */
export function useBasemap(): boolean {
  return useRootData()?.basemap === true;
}
