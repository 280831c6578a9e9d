import type { LayerSpecification, SourceSpecification } from "maplibre-gl";
import { roundedLine, spotsOf } from "#app/lib/map/line.ts";
import { FRAME, SHORE } from "#app/lib/map/shore.gen.ts";
import { TOWNS } from "#app/lib/map/towns.ts";
import type { MapColours } from "./map-colours.ts";
import { BORDERS, MUNICIPALITIES } from "./municipalities.gen.ts";

/** The page's font, for names on the map. */
export const MAP_FONT = ["Hanken Grotesk", "Arial", "sans-serif"];
/** The extent of the land beyond the frame of the shore, in degrees. */
const MARGIN = 2;
/** The lines that lighten the shallow water along the shore: their width in pixels, and opacity. */
const SHALLOWS = [
  [58, 0.14],
  [32, 0.16],
  [14, 0.2],
] as const;

const line = (steps: readonly number[]) =>
  roundedLine(spotsOf(steps)).map(({ lng, lat }) => [lng, lat]);
const feature = (geometry: GeoJSON.Geometry, properties = {}): GeoJSON.Feature => ({
  type: "Feature",
  geometry,
  properties,
});
const source = (...features: GeoJSON.Feature[]): SourceSpecification => ({
  type: "geojson",
  // A coast of a few hundred points needs no finer tiles, and so a phone makes no new ones when it zooms in.
  maxzoom: 9,
  data: { type: "FeatureCollection", features },
});
const point = (lng: number, lat: number, properties: object) =>
  feature({ type: "Point", coordinates: [lng, lat] }, properties);

/** Returns the sources of the built-in base map: the coast, the borders of municipalities, and names. */
export function groundSources(sea: string): Record<string, SourceSpecification> {
  const shore = line(SHORE);
  const [east, west] = [FRAME.east + MARGIN, FRAME.west - MARGIN];
  const land = [...shore, [east, FRAME.south], [east, 40], [west, 40], [west, FRAME.south]];
  const towns = new Set(TOWNS.map(({ name }) => name));
  return {
    land: source(feature({ type: "Polygon", coordinates: [[...land, land[0] ?? []]] })),
    shore: source(feature({ type: "LineString", coordinates: shore })),
    borders: source(feature({ type: "MultiLineString", coordinates: BORDERS.map(line) })),
    names: source(
      point(-3.95, 36.69, { name: sea, kind: "sea" }),
      ...TOWNS.map(({ name, lng, lat }) => point(lng, lat, { name, kind: "town" })),
      ...MUNICIPALITIES.filter(([name]) => !towns.has(name)).map(([name, lng, lat]) =>
        point(lng, lat, { name, kind: "municipality" }),
      ),
    ),
  };
}

export function groundLayers(colours: MapColours): LayerSpecification[] {
  const halo = { "text-halo-color": colours.land, "text-halo-width": 1.2 };
  return [
    { id: "water", type: "background", paint: { "background-color": colours.water } },
    ...SHALLOWS.map(
      ([width, opacity]): LayerSpecification => ({
        id: `shallows-${width}`,
        type: "line",
        source: "shore",
        layout: { "line-join": "round" },
        paint: { "line-color": colours.paper, "line-opacity": opacity, "line-width": width },
      }),
    ),
    { id: "land", type: "fill", source: "land", paint: { "fill-color": colours.land } },
    {
      id: "borders",
      type: "line",
      source: "borders",
      paint: { "line-color": colours.border, "line-opacity": 0.4 },
    },
    {
      id: "shore",
      type: "line",
      source: "shore",
      layout: { "line-join": "round" },
      paint: { "line-color": colours.sea, "line-opacity": 0.6, "line-width": 1.5 },
    },
    {
      id: "sea-name",
      type: "symbol",
      source: "names",
      filter: ["==", ["get", "kind"], "sea"],
      layout: {
        "text-field": ["get", "name"],
        "text-font": ["Fraunces", "Georgia", "serif"],
        "text-size": 18,
        "text-letter-spacing": 0.04,
      },
      paint: { "text-color": colours.sea },
    },
    {
      id: "municipality-names",
      type: "symbol",
      source: "names",
      filter: ["==", ["get", "kind"], "municipality"],
      layout: {
        "text-field": ["get", "name"],
        "text-font": MAP_FONT,
        "text-size": 12,
        "text-padding": 12,
      },
      paint: { "text-color": colours.muted, ...halo },
    },
    {
      id: "town-names",
      type: "symbol",
      source: "names",
      filter: ["==", ["get", "kind"], "town"],
      layout: {
        "text-field": ["get", "name"],
        "text-font": MAP_FONT,
        "text-size": 12.5,
        "text-padding": 8,
        "text-variable-anchor": ["center", "top", "bottom", "left", "right"],
        "text-radial-offset": 0.6,
      },
      paint: { "text-color": colours.ink, ...halo },
    },
  ];
}
