import { expect, test } from "vitest";
import { project, worldSize } from "#app/lib/map/projection.ts";
import { areaText, MAX_CORNERS } from "#app/lib/search/search-area.ts";
import { enclosedArea } from "./enclosed-area.ts";

const WORLD = worldSize(12);
const middle = project({ lat: 36.75, lng: -3.9 });
/** Returns a line, given in pixels from the middle. */
const drawn = (pixels: readonly (readonly [number, number])[]) =>
  pixels.map(([x, y]) => ({ x: middle.x + x / WORLD, y: middle.y + y / WORLD }));

test("a circle drawn by hand becomes an area of the same extent with few enough corners for the API", () => {
  const circle = Array.from({ length: 400 }, (_, at): [number, number] => {
    const [angle, jitter] = [(at * Math.PI) / 200, 1 + 0.01 * Math.sin(at * 7)];
    return [150 * jitter * Math.cos(angle), 100 * jitter * Math.sin(angle)];
  });
  const corners = enclosedArea(drawn(circle), WORLD) ?? [];
  expect(corners.length).toBeGreaterThan(8);
  expect(corners.length).toBeLessThanOrEqual(MAX_CORNERS);
  const east = Math.max(...corners.map(({ lng }) => lng));
  expect((project({ lat: 36.75, lng: east }).x - middle.x) * WORLD).toBeCloseTo(150, -1);
  // It stays short in the address.
  expect(areaText(corners).length).toBeLessThan(1_000);
});

test("the corners of a square are all kept", () => {
  const square = drawn([
    [0, 0],
    [80, 0],
    [80, 60],
    [0, 60],
  ]);
  expect(enclosedArea(square, WORLD)).toHaveLength(4);
});

test("a line that encloses nothing is no area", () => {
  expect(enclosedArea(drawn([[0, 0]]), WORLD)).toBeUndefined();
  expect(
    enclosedArea(
      drawn([
        [0, 0],
        [50, 50],
        [100, 100],
        [50, 50],
      ]),
      WORLD,
    ),
  ).toBeUndefined();
});
