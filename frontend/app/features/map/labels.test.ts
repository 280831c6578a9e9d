import { expect, test } from "vitest";
import { project } from "#app/lib/map/projection.ts";
import { toScreen } from "./camera.ts";
import { roomyLabels } from "./labels.ts";

const size = { width: 700, height: 600 };
const camera = (zoom: number) => ({ ...project({ lat: 36.78, lng: -3.93 }), zoom });

test.each([10, 11, 13])("at zoom %d no name stands on another or is cut off", (zoom) => {
  const labels = roomyLabels(camera(zoom), size, []);
  expect(labels.map(({ name }) => name)).toContain("Nerja");
  const spots = labels.map((label) => {
    const { x, y } = toScreen(camera(zoom), size, project(label));
    return { name: label.name, half: label.name.length * 3.3, x, y: y + label.below };
  });
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

test("a name gives way to a marker", () => {
  const nerja = (markers: { lat: number; lng: number }[]) =>
    roomyLabels(camera(12), size, markers).find(({ name }) => name === "Nerja");
  const free = nerja([]);
  if (!free) throw new Error("Nerja has no name");
  expect(free.below).toBeGreaterThan(0);
  expect(nerja([{ lat: free.lat - 0.008, lng: free.lng }])?.below).toBeLessThan(0);
  const allAround = [-0.03, -0.015, 0, 0.015, 0.03].map((north) => ({
    lat: free.lat + north,
    lng: free.lng,
  }));
  expect(nerja(allAround)).toBeUndefined();
});
