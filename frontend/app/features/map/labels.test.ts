import { expect, test } from "vitest";
import { project } from "#app/lib/map/projection.ts";
import { toScreen } from "./camera.ts";
import { roomyLabels } from "./labels.ts";
import type { Cluster, Pin } from "./map-query.ts";

const SEA = "Mediterranean Sea";
const size = { width: 700, height: 600 };
const camera = (zoom: number) => ({ ...project({ lat: 36.78, lng: -3.93 }), zoom });

test.each([10, 11, 13])("at zoom %d no name stands on another or is cut off", (zoom) => {
  const { labels, offshore } = roomyLabels(camera(zoom), size, [], SEA);
  expect(labels.map(({ name }) => name)).toContain("Nerja");
  const spots = labels.map((label) => {
    const { x, y } = toScreen(camera(zoom), size, project(label));
    return { name: label.name, half: label.name.length * 3.3, x, y: y + label.below };
  });
  if (offshore) {
    const at = toScreen(camera(zoom), size, project(offshore));
    spots.push({ name: SEA, half: SEA.length * 5, ...at });
  }
  for (const [index, label] of spots.entries()) {
    expect(label.x - label.half).toBeGreaterThan(0);
    expect(label.x + label.half).toBeLessThan(size.width);
    for (const other of spots.slice(index + 1)) {
      const apart =
        Math.abs(other.y - label.y) > 20 || Math.abs(other.x - label.x) > label.half + other.half;
      expect([label.name, other.name, apart]).toEqual([label.name, other.name, true]);
    }
  }
});

const cluster = (lat: number, lng: number): Cluster => ({
  ...{ lat, lng, count: 2 },
  bounds: { west: lng, south: lat, east: lng, north: lat },
});
const pin = (lat: number, lng: number) => ({ ref: "A", lat, lng }) as Pin;

test("a name gives way to a marker", () => {
  const nerja = (markers: Cluster[]) =>
    roomyLabels(camera(12), size, markers, SEA).labels.find(({ name }) => name === "Nerja");
  const free = nerja([]);
  if (!free) throw new Error("Nerja has no name");
  expect(free.below).toBeGreaterThan(0);
  expect(nerja([cluster(free.lat - 0.008, free.lng)])?.below).toBeLessThan(0);
  const allAround = [-0.03, -0.015, 0, 0.015, 0.03].map((north) =>
    cluster(free.lat + north, free.lng),
  );
  expect(nerja(allAround)).toBeUndefined();
});

test("a pin stands above its place, and keeps what is there alone", () => {
  const torrox = (markers: (Cluster | Pin)[]) =>
    roomyLabels(camera(12), size, markers, SEA).labels.find(({ name }) => name === "Torrox");
  const free = torrox([]);
  if (!free) throw new Error("Torrox has no name");
  expect(free.below).toBe(-15);
  expect(torrox([pin(free.lat, free.lng)])?.below).toBe(15);
  expect(torrox([cluster(free.lat, free.lng)])?.below).toBe(-32);
});

test("the sea has its name where there is none of a town, and no marker", () => {
  const offshore = (zoom: number, markers: Cluster[] = []) =>
    roomyLabels(camera(zoom), size, markers, SEA).offshore;
  const first = offshore(11);
  if (!first) throw new Error("the sea has no name");
  expect(offshore(11, [cluster(first.lat, first.lng)])?.lat).toBeLessThan(first.lat);
  // The view ends at the shore.
  expect(offshore(14)).toBeUndefined();
});
