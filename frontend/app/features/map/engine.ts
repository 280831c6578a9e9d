import "maplibre-gl/dist/maplibre-gl.css";
import {
  addProtocol,
  type GeoJSONSource,
  GPUInitializationError,
  Map as MapLibre,
  type MapOptions,
  setWorkerUrl,
} from "maplibre-gl";
import workerUrl from "maplibre-gl/dist/maplibre-gl-worker.mjs?url";
import type { Bounds } from "#app/lib/map/projection.ts";
import { FRAME } from "#app/lib/map/shore.gen.ts";
import { BASEMAP } from "#app/lib/site/basemap.ts";
import { STREETS_ZOOM } from "./bounds.ts";
import { fitOptions, lngLats, NEAREST_ZOOM } from "./live-view.ts";
import { mapColours } from "./map-colours.ts";
import { MARKER_SPACE, type MapData, mapStyle } from "./map-style.ts";

/** A tall phone may show more of the built-in base map to the north and south than its frame, in degrees. */
const MARGIN = 1;

interface MapSettings {
  readonly container: HTMLElement;
  readonly bounds: Bounds;
  readonly toTheEdge: boolean;
  readonly basemap: boolean;
  readonly data: MapData;
  readonly words: { readonly sea: string; readonly wheel: string; readonly touch: string };
}

export type LiveMap = MapLibre;

/** Starts the interactive map, or returns nothing if the browser has no WebGL. */
export async function startMap(settings: MapSettings): Promise<LiveMap | undefined> {
  const { container, bounds, toTheEdge, basemap, data, words } = settings;
  setWorkerUrl(workerUrl);
  if (basemap) {
    const { Protocol } = await import("pmtiles");
    addProtocol("pmtiles", new Protocol().tile);
  }
  const style = () =>
    mapStyle({
      colours: mapColours(container),
      data,
      sea: words.sea,
      tiles: basemap ? `pmtiles://${location.origin}${BASEMAP.path}` : undefined,
    });
  const { west, south, east, north } = FRAME;
  const map = createMap({
    container,
    style: style(),
    bounds: lngLats(bounds),
    fitBoundsOptions: fitOptions(toTheEdge),
    ...(basemap ? {} : { maxBounds: [west, south - MARGIN, east, north + MARGIN] }),
    maxZoom: NEAREST_ZOOM + (basemap ? STREETS_ZOOM : 0),
    maxPitch: 0,
    pitchWithRotate: false,
    dragRotate: false,
    touchPitch: false,
    renderWorldCopies: false,
    attributionControl: false,
    clickTolerance: 6,
    // A ratio of three would double a phone's work without a visible difference.
    pixelRatio: Math.min(devicePixelRatio, 2),
    cooperativeGestures: true,
    locale: {
      "CooperativeGesturesHandler.WindowsHelpText": words.wheel,
      "CooperativeGesturesHandler.MacHelpText": words.wheel.replace("Ctrl", "⌘"),
      "CooperativeGesturesHandler.MobileHelpText": words.touch,
    },
  });
  if (!map) return undefined;
  map.setMissingStyleImageResolver((id) => {
    const { name, width, height } = MARKER_SPACE;
    const data = new Uint8Array(width * height * 4);
    if (id === name) map.addImage(id, { width, height, data });
  });
  map.touchZoomRotate.disableRotation();
  map.keyboard.disableRotation();
  const recolour = () => {
    for (const { id, paint = {} } of style().layers) {
      for (const [name, value] of Object.entries(paint)) {
        map.setPaintProperty(id, name as never, value as never);
      }
    }
  };
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const theme = new MutationObserver(recolour);
  theme.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  dark.addEventListener("change", recolour);
  map.once("remove", () => {
    theme.disconnect();
    dark.removeEventListener("change", recolour);
  });
  return map;
}

/** Creates the map, or returns nothing if the browser has no WebGL. */
function createMap(options: MapOptions): MapLibre | undefined {
  try {
    return new MapLibre(options);
  } catch (error) {
    if (error instanceof GPUInitializationError) return undefined;
    throw error;
  }
}

/** Replaces the data of some of the map's sources. */
export function setData(map: LiveMap, data: Partial<MapData>): void {
  for (const [name, collection] of Object.entries(data)) {
    map.getSource<GeoJSONSource>(name)?.setData(collection);
  }
}
