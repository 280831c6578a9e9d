import type { Bounds, Spot } from "#app/lib/map/projection.ts";

const collection = (...features: GeoJSON.Feature[]): GeoJSON.FeatureCollection => ({
  type: "FeatureCollection",
  features,
});

function polygon(...rings: (readonly Spot[])[]): GeoJSON.FeatureCollection {
  const coordinates = rings.map((ring) =>
    [...ring, ...ring.slice(0, 1)].map(({ lng, lat }) => [lng, lat]),
  );
  return collection({
    type: "Feature",
    properties: {},
    geometry: { type: "Polygon", coordinates },
  });
}

export const EMPTY = collection();

/** Returns the polygon of an area, or an empty collection if it has no corners. */
export function areaOf(corners: readonly Spot[]): GeoJSON.FeatureCollection {
  return corners.length > 0 ? polygon(corners) : EMPTY;
}

/** Returns the positions of the markers. Clusters are centred on theirs, pins stand above it. */
export function markersOf(
  clusters: readonly Spot[],
  pins: readonly Spot[],
): GeoJSON.FeatureCollection {
  const points = (spots: readonly Spot[], anchor: string) =>
    spots.map(({ lng, lat }): GeoJSON.Feature => {
      const geometry = { type: "Point" as const, coordinates: [lng, lat] };
      return { type: "Feature", properties: { anchor }, geometry };
    });
  return collection(...points(clusters, "center"), ...points(pins, "bottom"));
}

/** The ratio of the visible to the searched extent above which the difference is shown. */
const TOLERANCE = 1.03;
const WORLD: Bounds = { west: -180, south: -85, east: 180, north: 85 };

/** Returns everything outside the searched bounds, if the map shows noticeably more because of its shape. */
export function veilAround(searched: Bounds | undefined, seen: Bounds): GeoJSON.FeatureCollection {
  if (!searched) return EMPTY;
  const wider = seen.east - seen.west > (searched.east - searched.west) * TOLERANCE;
  const taller = seen.north - seen.south > (searched.north - searched.south) * TOLERANCE;
  return wider || taller ? polygon(ring(WORLD), ring(searched)) : EMPTY;
}

function ring({ west, south, east, north }: Bounds): Spot[] {
  return [
    { lng: west, lat: south },
    { lng: east, lat: south },
    { lng: east, lat: north },
    { lng: west, lat: north },
  ];
}
