import { expect, test } from "vitest";
import { project, worldSize } from "#app/lib/map/projection.ts";
import { areaText, MAX_CORNERS } from "#app/lib/search/search-area.ts";
import { enclosed } from "./enclosed.ts";

const WORLD = worldSize(12);
const middle = project({ lat: 36.75, lng: -3.9 });
/** A line through pixels around the middle. */
const drawn = (pixels: readonly (readonly [number, number])[]) =>
  pixels.map(([x, y]) => ({ x: middle.x + x / WORLD, y: middle.y + y / WORLD }));

test("a hand's circle becomes an area the API takes, around what it went around", () => {
  const circle = Array.from({ length: 400 }, (_, at): [number, number] => {
    const [turn, tremble] = [(at * Math.PI) / 200, 1 + 0.01 * Math.sin(at * 7)];
    return [150 * tremble * Math.cos(turn), 100 * tremble * Math.sin(turn)];
  });
  const corners = enclosed(drawn(circle), WORLD) ?? [];
  expect(corners.length).toBeGreaterThan(8);
  expect(corners.length).toBeLessThanOrEqual(MAX_CORNERS);
  const east = Math.max(...corners.map(({ lng }) => lng));
  expect((project({ lat: 36.75, lng: east }).x - middle.x) * WORLD).toBeCloseTo(150, -1);
  // What is said in the address is still short.
  expect(areaText(corners).length).toBeLessThan(1_000);
});

test("a corner set is a corner kept", () => {
  const square = drawn([
    [0, 0],
    [80, 0],
    [80, 60],
    [0, 60],
  ]);
  expect(enclosed(square, WORLD)).toHaveLength(4);
});

test("what encloses nothing is no area", () => {
  expect(enclosed(drawn([[0, 0]]), WORLD)).toBeUndefined();
  expect(
    enclosed(
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
