import { expect, test } from "vitest";
import { project, worldSize } from "#app/lib/map/projection.ts";
import { areaText, bboxText, enclosed, MOST_CORNERS, readArea, readBbox } from "./address.ts";

test("a stretch is said as the API reads it, and read as it is said", () => {
  const bounds = { west: -4.1025, south: 36.69, east: -3.76, north: 36.87 };
  expect(bboxText(bounds)).toBe("-4.1025,36.69,-3.76,36.87");
  expect(readBbox(bboxText(bounds))).toEqual(bounds);
  for (const odd of [undefined, "", "1,2,3", "1,2,a,4", "3,2,1,4", "1,4,2,3", "1,,2,3"]) {
    expect(readBbox(odd)).toBeUndefined();
  }
});

test("an area is said as the API reads it, and read as it is said", () => {
  const corners = [
    { lng: -4.1, lat: 36.7 },
    { lng: -3.9, lat: 36.7 },
    { lng: -3.9, lat: 36.8123 },
  ];
  expect(areaText(corners)).toBe("-4.1,36.7;-3.9,36.7;-3.9,36.8123");
  expect(readArea(areaText(corners))).toEqual(corners);
  expect(readArea("-4.1,36.7;-3.9,36.7")).toEqual([]);
  expect(readArea(undefined)).toEqual([]);
});

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
  expect(corners.length).toBeLessThanOrEqual(MOST_CORNERS);
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
