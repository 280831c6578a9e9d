import { expect, test } from "vitest";
import { maxThumbStep, mergeThinBuckets, minThumbStep } from "./range-steps.ts";

const EDGES = [0, 100, 250];

test.each([
  ["", 0],
  ["0", 0],
  ["99", 0],
  ["100", 1],
  ["249", 1],
  ["9.999", 2],
  ["100,5 m²", 1],
  ["250.000,00", 2],
  ["lots", 0],
])("a lower bound of %j puts its thumb at step %i", (written, step) => {
  expect(minThumbStep(EDGES, written)).toBe(step);
});

test.each([
  ["", 3],
  ["1", 1],
  ["100", 1],
  ["101", 2],
  ["250", 2],
  ["251", 3],
  ["99,5 m²", 1],
  ["lots", 3],
])("an upper bound of %j puts its thumb at step %i", (written, step) => {
  expect(maxThumbStep(EDGES, written)).toBe(step);
});

test("thin buckets at the end are merged into one bar, and no home is lost", () => {
  const from = [0, 100, 200, 300, 400, 500, 600, 700];
  const counts = [0, 40, 50, 30, 1, 0, 1, 1];
  expect(mergeThinBuckets({ from, counts })).toEqual({
    from: [0, 200, 300, 400],
    counts: [40, 50, 30, 3],
  });
});

test("each bar of a small histogram has a home, and one without homes stays unchanged", () => {
  const from = [0, 100, 200, 300];
  expect(mergeThinBuckets({ from, counts: [0, 1, 0, 1] })).toEqual({
    from: [0, 300],
    counts: [1, 1],
  });
  expect(mergeThinBuckets({ from, counts: [0, 0, 0, 0] }).from).toEqual(from);
});
