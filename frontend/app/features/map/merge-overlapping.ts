import { type Bounds, project, worldSize } from "#app/lib/map/projection.ts";
import type { Cluster, Pin } from "./map-query.ts";

/** Half the size of a marker, in pixels, and how far its middle is above its position. */
const HALF_SIZE = { cluster: { x: 19, y: 19, up: 0 }, pin: { x: 29, y: 14, up: 18 } };

type Marker = { kind: "cluster"; home: Cluster } | { kind: "pin"; home: Pin };

/**
 * Merges markers that would overlap at a zoom into one cluster. The API clusters by the cells of a grid, so
 * markers of neighbouring cells can overlap. The largest marker absorbs its neighbours and keeps its
 * position.
 */
export function mergeOverlapping(
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
  const merged: { marker: Marker; x: number; y: number }[] = [];
  for (const marker of markers) {
    const half = HALF_SIZE[marker.kind];
    const point = project(marker.home);
    const [x, y] = [point.x * world, point.y * world - half.up];
    const near = merged.find((other) => {
      const otherHalf = HALF_SIZE[other.marker.kind];
      return (
        Math.abs(other.x - x) < half.x + otherHalf.x && Math.abs(other.y - y) < half.y + otherHalf.y
      );
    });
    if (near) near.marker = { kind: "cluster", home: joined(near.marker, marker) };
    else merged.push({ marker, x, y });
  }
  return {
    clusters: merged.flatMap(({ marker }) => (marker.kind === "cluster" ? [marker.home] : [])),
    pins: merged.flatMap(({ marker }) => (marker.kind === "pin" ? [marker.home] : [])),
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
