import { expect, test } from "vitest";
import { project, within, worldSize } from "#app/lib/map/projection.ts";
import type { Cluster, Pin } from "./map-query.ts";
import { mergeOverlapping } from "./merge-overlapping.ts";

const pin = (ref: string, lat: number, lng: number): Pin => ({
  ...{ ref, lat, lng, title: ref, url: `/property-for-sale/nerja/${ref}` },
  ...{ price: 300_000, status: "for_sale" },
});
const cluster = (count: number, lat: number, lng: number): Cluster => ({
  ...{ count, lat, lng },
  bounds: { west: lng - 0.01, east: lng + 0.01, south: lat - 0.01, north: lat + 0.01 },
});

test("markers that do not overlap stay separate", () => {
  const [clusters, pins] = [
    [cluster(4, 36.75, -3.9)],
    [pin("A", 36.75, -4.1), pin("B", 36.85, -3.9)],
  ];
  expect(mergeOverlapping(clusters, pins, 11)).toEqual({ clusters, pins });
});

test("overlapping markers become one cluster, and separate at a closer zoom", () => {
  const pins = [pin("A", 36.75, -3.9), pin("B", 36.751, -3.901)];
  const { clusters, pins: separate } = mergeOverlapping([], pins, 12);
  expect(separate).toEqual([]);
  expect(clusters).toEqual([
    {
      ...{ count: 2, lat: 36.75, lng: -3.9 },
      bounds: { west: -3.901, south: 36.75, east: -3.9, north: 36.751 },
    },
  ]);
  expect(mergeOverlapping([], pins, 16).pins).toHaveLength(2);
});

test("no home is lost, no marker overlaps, and each home lies within the bounds of its cluster", () => {
  const pins = Array.from({ length: 120 }, (_, at) =>
    pin(`P${at}`, 36.74 + ((at * 37) % 100) / 800, -4.1 + ((at * 61) % 100) / 400),
  );
  const given = [cluster(9, 36.77, -3.95), cluster(5, 36.8, -4)];
  for (const zoom of [10, 11.4, 13]) {
    const found = mergeOverlapping(given, pins, zoom);
    const count = found.clusters.reduce((sum, each) => sum + each.count, found.pins.length);
    expect(count).toBe(134);
    for (const { lat, lng } of pins) {
      const visible =
        found.pins.some((each) => each.lat === lat && each.lng === lng) ||
        found.clusters.some(({ bounds }) => within(bounds, { lat, lng }));
      expect(visible).toBe(true);
    }
    const middles = [...found.clusters, ...found.pins].map((home) => project(home));
    for (const [index, a] of middles.entries()) {
      for (const b of middles.slice(index + 1)) {
        const apart = Math.hypot(a.x - b.x, a.y - b.y) * worldSize(zoom);
        expect(apart).toBeGreaterThan(15);
      }
    }
  }
});
