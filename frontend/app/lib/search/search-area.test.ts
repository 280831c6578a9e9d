import { expect, test } from "vitest";
import { areaText, bboxText, readArea, readBbox, tidyArea, tidyBbox } from "./search-area.ts";

test("a part of the map is said as the API reads it, and read as it is said", () => {
  const bounds = { west: -4.1025, south: 36.69, east: -3.76, north: 36.87 };
  expect(bboxText(bounds)).toBe("-4.1025,36.69,-3.76,36.87");
  expect(readBbox(bboxText(bounds))).toEqual(bounds);
});

test.each([
  undefined,
  null,
  "",
  "1,2,3",
  "1,2,a,4",
  "3,2,1,4",
  "1,4,2,3",
  "1,,2,3",
  "-4,36,181,37",
])("%s is no part of the map", (text) => {
  expect(readBbox(text)).toBeUndefined();
  expect(tidyBbox(text ?? null)).toBeUndefined();
});

test("an area is said as the API reads it, and read as it is said", () => {
  const corners = [
    { lng: -4.1, lat: 36.7 },
    { lng: -3.9, lat: 36.7 },
    { lng: -3.9, lat: 36.8123 },
  ];
  expect(areaText(corners)).toBe("-4.1,36.7;-3.9,36.7;-3.9,36.8123");
  expect(readArea(areaText(corners))).toEqual(corners);
});

test.each([undefined, null, "", "-4.1,36.7;-3.9,36.7", "1,1;2,2;1,1", "1,1;2,2;3,91", "1,1;2;3,3"])(
  "%s is no area",
  (text) => {
    expect(readArea(text)).toEqual([]);
    expect(tidyArea(text ?? null)).toBeUndefined();
  },
);

test("what a hand draws and what an address says is written in one way", () => {
  const closed = "-0,1;0,1;2.00001,3;4,5;0,1";
  expect(tidyArea(closed)).toBe("0,1;2,3;4,5");
  expect(areaText(readArea(closed))).toBe("0,1;2,3;4,5");
  expect(areaText([{ lng: -0.000001, lat: 1 }])).toBe("0,1");
});
