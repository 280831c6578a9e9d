import { expect, test } from "vitest";
import { parseBound } from "./parse-bound.ts";

test("a bound is read as people write it, and rounded to an integer", () => {
  for (const [text, bound] of [
    ["350000", 350_000],
    ["350,000", 350_000],
    ["1.500.000 €", 1_500_000],
    ["250.000,00", 250_000],
    ["€1,200.50", 1_201],
    ["87,5", 88],
    ["87.4", 87],
    ["120 m²", 120],
    ["1\u00a0200M2 ", 1_200],
  ] as const) {
    expect(parseBound(text), text).toBe(bound);
  }
});

test("text that is not a number, or empty, is no bound", () => {
  for (const text of ["", " ", "0", "m²", "lots", "250k", "90-100", "12,5,5"]) {
    expect(parseBound(text), text).toBeNaN();
  }
});
