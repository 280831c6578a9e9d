import { expect, test } from "vitest";
import { TOWNS } from "#app/lib/map/towns.ts";
import { approximateSpot } from "./approximate-spot.ts";
import { onSketch, openStreetMapHref, SKETCH, seaPath } from "./coast.ts";

test("north is up, east is right, and places outside the sketch have no position", () => {
  const [west, east] = [onSketch({ lat: 36.75, lng: -4.1 }), onSketch({ lat: 36.75, lng: -3.8 })];
  const [north, south] = [onSketch({ lat: 36.85, lng: -4 }), onSketch({ lat: 36.7, lng: -4 })];
  expect(west?.x).toBeLessThan(east?.x ?? 0);
  expect(north?.y).toBeLessThan(south?.y ?? 0);
  expect(onSketch({ lat: 40.4, lng: -3.7 })).toBeUndefined();
  for (const town of TOWNS) expect(onSketch(town)).toBeDefined();
  // The sea starts and ends beyond the edges of the sketch, and reaches below it.
  const [, from] = /^M(-?[\d.]+) /.exec(seaPath()) ?? [];
  const [, to] = /L([\d.]+) [\d.]+V\d+H-\d+Z$/.exec(seaPath()) ?? [];
  expect(Number(from)).toBeLessThan(0);
  expect(Number(to)).toBeGreaterThan(SKETCH.width);
});

test("coordinates are rounded, so that they don't reveal the address", () => {
  expect(approximateSpot({ lat: 36.7648, lng: -3.9662 })).toEqual({ lat: 36.76, lng: -3.97 });
  expect(openStreetMapHref({ lat: 36.7648, lng: -3.9 })).toBe(
    "https://www.openstreetmap.org/#map=14/36.76/-3.90",
  );
});
