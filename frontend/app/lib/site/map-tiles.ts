import { useRouteLoaderData } from "react-router";

/** A tile server that the operator has configured for the map. */
export interface MapTiles {
  /** Of a tile's picture, with `{z}`, `{x}` and `{y}`. */
  readonly url: string;
  readonly attribution: string;
}

/** What the operator has configured; without it the map draws its own ground. */
export function useMapTiles(): MapTiles | undefined {
  return useRouteLoaderData<{ mapTiles?: MapTiles }>("root")?.mapTiles;
}
