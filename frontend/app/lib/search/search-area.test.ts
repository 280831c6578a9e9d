import { expect, test } from "vitest";
import {
  areaText,
  bboxText,
  normalizeArea,
  normalizeBbox,
  parseArea,
  parseBbox,
} from "./search-area.ts";

test("map bounds are formatted as the API reads them, and read back", () => {
  const bounds = { west: -4.1025, south: 36.69, east: -3.76, north: 36.87 };
  expect(bboxText(bounds)).toBe("-4.1025,36.69,-3.76,36.87");
  expect(parseBbox(bboxText(bounds))).toEqual(bounds);
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
])("%s is not valid as map bounds", (text) => {
  expect(parseBbox(text)).toBeUndefined();
  expect(normalizeBbox(text ?? null)).toBeUndefined();
});

test("an area is formatted as the API reads it, and read back", () => {
  const corners = [
    { lng: -4.1, lat: 36.7 },
    { lng: -3.9, lat: 36.7 },
    { lng: -3.9, lat: 36.8123 },
  ];
  expect(areaText(corners)).toBe("-4.1,36.7;-3.9,36.7;-3.9,36.8123");
  expect(parseArea(areaText(corners))).toEqual(corners);
});

test.each([undefined, null, "", "-4.1,36.7;-3.9,36.7", "1,1;2,2;1,1", "1,1;2,2;3,91", "1,1;2;3,3"])(
  "%s is no area",
  (text) => {
    expect(parseArea(text)).toEqual([]);
    expect(normalizeArea(text ?? null)).toBeUndefined();
  },
);

test("drawn areas and those in addresses are normalized", () => {
  const closed = "-0,1;0,1;2.00001,3;4,5;0,1";
  expect(normalizeArea(closed)).toBe("0,1;2,3;4,5");
  expect(areaText(parseArea(closed))).toBe("0,1;2,3;4,5");
  expect(areaText([{ lng: -0.000001, lat: 1 }])).toBe("0,1");
});
