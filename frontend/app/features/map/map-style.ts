import type { LayerSpecification, StyleSpecification } from "maplibre-gl";
import { basemapLayers } from "./basemap-layers.ts";
import { groundLayers, groundSources } from "./ground-layers.ts";
import type { MapColours } from "./map-colours.ts";

/** The changing data of the map, by the name of the source. */
export interface MapData {
  /** The area that is searched in. */
  readonly area: GeoJSON.FeatureCollection;
  /** The part of the map outside the searched bounds. */
  readonly veil: GeoJSON.FeatureCollection;
  /** The positions of the markers, which place names must not overlap. */
  readonly homes: GeoJSON.FeatureCollection;
}

interface StyleOptions {
  readonly colours: MapColours;
  readonly data: MapData;
  /** The sea's name. */
  readonly sea: string;
  /** The URL of the operator's vector tiles. Without them the built-in base map is drawn. */
  readonly tiles: string | undefined;
}

/**
 * A transparent image as large as a marker: it keeps place names clear of the markers, which are HTML
 * elements.
 */
export const MARKER_SPACE = { name: "room", width: 46, height: 34 };

/**
 * Returns the style of the map in the site's colours. Names are drawn with the page's fonts: without
 * `glyphs` in the style, MapLibre takes them from the browser and requests none from a server.
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
        "icon-image": MARKER_SPACE.name,
        "icon-anchor": ["get", "anchor"],
        "icon-allow-overlap": true,
      },
    },
  ];
}
