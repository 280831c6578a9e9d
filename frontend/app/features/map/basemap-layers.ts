import type { ExpressionSpecification, FilterSpecification, LayerSpecification } from "maplibre-gl";
import { MAP_FONT } from "./ground-layers.ts";
import type { MapColours } from "./map-colours.ts";

/** Spanish names, on the pages of both languages: they are the names on signs. */
const NAME: ExpressionSpecification = ["coalesce", ["get", "name:es"], ["get", "name"]];

const kind = (...kinds: string[]): FilterSpecification => [
  "in",
  ["get", "kind"],
  ["literal", kinds],
];
const layer = (id: string, from: string) => ({ id, source: "basemap", "source-layer": from });
const byZoom = (...stops: number[]): ExpressionSpecification =>
  ["interpolate", ["exponential", 1.5], ["zoom"], ...stops] as ExpressionSpecification;

/** Returns the layers for vector tiles with the schema of Protomaps, in the site's colours. */
export function basemapLayers(colours: MapColours): LayerSpecification[] {
  const halo = { "text-halo-color": colours.land, "text-halo-width": 1.3 };
  return [
    { id: "sea", type: "background", paint: { "background-color": colours.water } },
    { ...layer("earth", "earth"), type: "fill", paint: { "fill-color": colours.land } },
    {
      ...layer("green", "landuse"),
      type: "fill",
      filter: kind(
        ...["park", "forest", "wood", "nature_reserve", "national_park", "protected_area"],
        ...["grass", "grassland", "scrub", "golf_course", "garden", "orchard", "meadow"],
      ),
      paint: { "fill-color": colours.leaf, "fill-opacity": 0.13 },
    },
    {
      ...layer("beach", "landuse"),
      type: "fill",
      filter: kind("beach", "sand"),
      paint: { "fill-color": colours.sand },
    },
    { ...layer("water", "water"), type: "fill", paint: { "fill-color": colours.water } },
    {
      ...layer("rivers", "water"),
      type: "line",
      filter: kind("river", "stream", "canal"),
      paint: { "line-color": colours.water, "line-width": byZoom(9, 0.6, 16, 4) },
    },
    {
      ...layer("buildings", "buildings"),
      type: "fill",
      minzoom: 14,
      paint: { "fill-color": colours.border, "fill-opacity": 0.25 },
    },
    ...roads(colours),
    {
      ...layer("boundaries", "boundaries"),
      type: "line",
      paint: { "line-color": colours.border, "line-opacity": 0.5, "line-dasharray": [4, 3] },
    },
    {
      ...layer("road-names", "roads"),
      type: "symbol",
      minzoom: 13,
      layout: {
        "symbol-placement": "line",
        "text-field": NAME,
        "text-font": MAP_FONT,
        "text-size": 11,
      },
      paint: { "text-color": colours.muted, ...halo },
    },
    {
      ...layer("place-names", "places"),
      type: "symbol",
      filter: kind("locality", "neighbourhood", "macrohood"),
      layout: {
        "text-field": NAME,
        "text-font": MAP_FONT,
        "text-size": ["match", ["get", "kind"], "locality", 13, 11],
        "text-padding": 8,
        "text-variable-anchor": ["center", "top", "bottom"],
        "text-radial-offset": 0.6,
        "symbol-sort-key": ["-", 0, ["coalesce", ["get", "population_rank"], 0]],
      },
      paint: { "text-color": colours.ink, ...halo },
    },
  ];
}

/**
 * The kinds of roads, in drawing order from the least to the most important: the kind, the first zoom that
 * shows it, and its width at that zoom and at zoom 17.
 */
const ROADS = [
  ["path", 14, 0.5, 2],
  ["minor_road", 12, 0.6, 7],
  ["medium_road", 10, 0.7, 9],
  ["major_road", 8, 0.8, 11],
  ["highway", 6, 1, 13],
] as const;

function roads(colours: MapColours): LayerSpecification[] {
  return ROADS.flatMap(([name, from, far, near]): LayerSpecification[] => [
    {
      ...layer(`${name}-edge`, "roads"),
      type: "line",
      minzoom: from,
      filter: kind(name),
      layout: { "line-cap": "round", "line-join": "round" },
      paint: { "line-color": colours.border, "line-width": byZoom(from, far + 0.5, 17, near + 2) },
    },
    {
      ...layer(name, "roads"),
      type: "line",
      minzoom: from,
      filter: kind(name),
      layout: { "line-cap": "round", "line-join": "round" },
      paint: {
        "line-color": name === "highway" ? colours.sun : colours.paper,
        "line-width": byZoom(from, far, 17, near),
      },
    },
  ]);
}
