import { useRootData } from "./root-data.ts";

/** Where the door gives the operator's vector tiles, and whose data they are. */
export const BASEMAP = {
  path: "/map/basemap.pmtiles",
  attribution: "© OpenStreetMap",
};

/** Whether the operator has configured vector tiles; without them the map draws its own ground. */
export function useBasemap(): boolean {
  return useRootData()?.basemap === true;
}
