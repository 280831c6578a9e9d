import { expect, test } from "vitest";
import { onSketch, openStreetMapHref, SKETCH, seaPath, TOWNS } from "./coast.ts";
import { roughly } from "./roughly.ts";

test("north is up, east is right, and what lies beyond the sketch is not on it", () => {
  const [west, east] = [onSketch({ lat: 36.75, lng: -4.1 }), onSketch({ lat: 36.75, lng: -3.8 })];
  const [north, south] = [onSketch({ lat: 36.85, lng: -4 }), onSketch({ lat: 36.7, lng: -4 })];
  expect(west?.x).toBeLessThan(east?.x ?? 0);
  expect(north?.y).toBeLessThan(south?.y ?? 0);
  expect(onSketch({ lat: 40.4, lng: -3.7 })).toBeUndefined();
  for (const town of TOWNS) expect(onSketch(town)).toBeDefined();
  expect(seaPath()).toMatch(new RegExp(`^M0,\\d+ L.* V${SKETCH.height} H0 Z$`));
});

test("nobody is led to the door", () => {
  expect(roughly({ lat: 36.7648, lng: -3.9662 })).toEqual({ lat: 36.76, lng: -3.97 });
  expect(openStreetMapHref({ lat: 36.7648, lng: -3.9 })).toBe(
    "https://www.openstreetmap.org/#map=14/36.76/-3.90",
  );
});
