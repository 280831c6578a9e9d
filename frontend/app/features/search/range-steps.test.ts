import { expect, test } from "vitest";
import { stepOfLeast, stepOfMost } from "./range-steps.ts";

const EDGES = [0, 100, 250];

test.each([
  ["", 0],
  ["0", 0],
  ["99", 0],
  ["100", 1],
  ["249", 1],
  ["9.999", 2],
  ["lots", 0],
])("at least %j holds the lower thumb at %i", (written, step) => {
  expect(stepOfLeast(EDGES, written)).toBe(step);
});

test.each([
  ["", 3],
  ["1", 1],
  ["100", 1],
  ["101", 2],
  ["250", 2],
  ["251", 3],
  ["lots", 3],
])("at most %j holds the upper thumb at %i", (written, step) => {
  expect(stepOfMost(EDGES, written)).toBe(step);
});
