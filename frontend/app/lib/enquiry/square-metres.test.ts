import { expect, test } from "vitest";
import { squareMetres } from "./square-metres.ts";

test("an area is read as people write it", () => {
  for (const [text, area] of [
    ["140", 140],
    ["87.5", 88],
    ["87,4", 87],
    ["1.200", 1_200],
    ["1,200", 1_200],
    ["1 200", 1_200],
    ["1\u00a0200,50 m²", 1_201],
    ["1,200.50 M2", 1_201],
    ["1.200.000", 1_200_000],
    ["120m2", 120],
    ["1.2005", 1],
    ["0.400", 0],
    ["5000000000", 5_000_000_000],
  ] as const) {
    expect(squareMetres(text), text).toBe(area);
  }
});

test("text that is not a number is rejected", () => {
  for (const text of ["", "m²", "-5", "1e3", "0x10", "about 90", "1.200.5", "1.20.300", "90-100"]) {
    expect(squareMetres(text), text).toBeNaN();
  }
});
