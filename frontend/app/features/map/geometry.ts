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

export const NOTHING = collection();

/** An area, where there is one. */
export function areaOf(corners: readonly Spot[]): GeoJSON.FeatureCollection {
  return corners.length > 0 ? polygon(corners) : NOTHING;
}

/** Where markers stand: clusters about their place, pins above it. */
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

/** How much more may be seen than is searched in before it has to be told apart. */
const SLIGHT = 1.03;
const WORLD: Bounds = { west: -180, south: -85, east: 180, north: 85 };

/** Everything but what is searched in, where a map of another shape sees more than that. */
export function veilAround(searched: Bounds | undefined, seen: Bounds): GeoJSON.FeatureCollection {
  if (!searched) return NOTHING;
  const wider = seen.east - seen.west > (searched.east - searched.west) * SLIGHT;
  const taller = seen.north - seen.south > (searched.north - searched.south) * SLIGHT;
  return wider || taller ? polygon(ring(WORLD), ring(searched)) : NOTHING;
}

function ring({ west, south, east, north }: Bounds): Spot[] {
  return [
    { lng: west, lat: south },
    { lng: east, lat: south },
    { lng: east, lat: north },
    { lng: west, lat: north },
  ];
}
