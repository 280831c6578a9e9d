import type { LayerSpecification, StyleSpecification } from "maplibre-gl";
import { basemapLayers } from "./basemap-layers.ts";
import { groundLayers, groundSources } from "./ground-layers.ts";
import type { MapColours } from "./map-colours.ts";

/** What changes on the map, by the name of its source. */
export interface MapData {
  /** The area that is searched in. */
  readonly area: GeoJSON.FeatureCollection;
  /** What lies outside the part of the map that is searched in. */
  readonly veil: GeoJSON.FeatureCollection;
  /** Where markers stand, which names give way to. */
  readonly homes: GeoJSON.FeatureCollection;
}

interface StyleOptions {
  readonly colours: MapColours;
  readonly data: MapData;
  /** The sea's name. */
  readonly sea: string;
  /** Of the operator's vector tiles; without them the map draws its own ground. */
  readonly tiles: string | undefined;
}

/** A picture of nothing, as large as a marker. */
export const ROOM = { name: "room", width: 46, height: 34 };

/**
 * The map's look in the site's own colours. Names are drawn with the page's letters: a style without
 * `glyphs` has MapLibre take them from the browser, so that nobody is asked for any.
 */
export function mapStyle({ colours, data, sea, tiles }: StyleOptions): StyleSpecification {
  const ground = tiles
    ? {
        sources: { basemap: { type: "vector" as const, url: tiles } },
        layers: basemapLayers(colours),
      }
    : { sources: groundSources(sea), layers: groundLayers(colours) };
  return {
    version: 8,
    sources: {
      ...ground.sources,
      area: { type: "geojson", data: data.area },
      veil: { type: "geojson", data: data.veil },
      homes: { type: "geojson", data: data.homes },
    },
    layers: [...ground.layers, ...searchLayers(colours)],
  };
}

function searchLayers(colours: MapColours): LayerSpecification[] {
  return [
    {
      id: "area",
      type: "fill",
      source: "area",
      paint: { "fill-color": colours.sun, "fill-opacity": 0.25 },
    },
    {
      id: "area-edge",
      type: "line",
      source: "area",
      layout: { "line-join": "round" },
      paint: { "line-color": colours.ink, "line-width": 2 },
    },
    {
      id: "veil",
      type: "fill",
      source: "veil",
      paint: { "fill-color": colours.paper, "fill-opacity": 0.55 },
    },
    {
      id: "homes",
      type: "symbol",
      source: "homes",
      layout: {
        "icon-image": ROOM.name,
        "icon-anchor": ["get", "anchor"],
        "icon-allow-overlap": true,
      },
    },
  ];
}
