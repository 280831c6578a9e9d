import { type Bounds, project, worldSize } from "#app/lib/map/projection.ts";
import type { Cluster, Pin } from "./map-query.ts";

/** Half of what a marker takes up, in pixels: a pin stands above its place. */
const HALF = { cluster: { x: 19, y: 19, up: 0 }, pin: { x: 29, y: 14, up: 18 } };

type Marker = { kind: "cluster"; home: Cluster } | { kind: "pin"; home: Pin };

/**
 * Markers that would cover one another at a zoom, as one cluster. The API gathers by the cells of a
 * grid, and neighbours in two cells may stand side by side; the largest takes its neighbours in, and
 * stays where it is.
 */
export function gathered(
  clusters: readonly Cluster[],
  pins: readonly Pin[],
  zoom: number,
): { clusters: Cluster[]; pins: Pin[] } {
  const world = worldSize(zoom);
  const markers: Marker[] = [
    ...clusters.map((home) => ({ kind: "cluster", home }) as const),
    ...pins.map((home) => ({ kind: "pin", home }) as const),
  ];
  markers.sort((a, b) => countOf(b) - countOf(a));
  const kept: { marker: Marker; x: number; y: number }[] = [];
  for (const marker of markers) {
    const half = HALF[marker.kind];
    const point = project(marker.home);
    const [x, y] = [point.x * world, point.y * world - half.up];
    const near = kept.find((other) => {
      const theirs = HALF[other.marker.kind];
      return Math.abs(other.x - x) < half.x + theirs.x && Math.abs(other.y - y) < half.y + theirs.y;
    });
    if (near) near.marker = { kind: "cluster", home: joined(near.marker, marker) };
    else kept.push({ marker, x, y });
  }
  return {
    clusters: kept.flatMap(({ marker }) => (marker.kind === "cluster" ? [marker.home] : [])),
    pins: kept.flatMap(({ marker }) => (marker.kind === "pin" ? [marker.home] : [])),
  };
}

function countOf(marker: Marker): number {
  return marker.kind === "cluster" ? marker.home.count : 1;
}

function boundsOf(marker: Marker): Bounds {
  if (marker.kind === "cluster") return marker.home.bounds;
  const { lat, lng } = marker.home;
  return { west: lng, south: lat, east: lng, north: lat };
}

function joined(one: Marker, other: Marker): Cluster {
  const [a, b] = [boundsOf(one), boundsOf(other)];
  return {
    lat: one.home.lat,
    lng: one.home.lng,
    count: countOf(one) + countOf(other),
    bounds: {
      west: Math.min(a.west, b.west),
      south: Math.min(a.south, b.south),
      east: Math.max(a.east, b.east),
      north: Math.max(a.north, b.north),
    },
  };
}
