import { expect, test } from "vitest";
import { ratioOf, shareOf } from "./progress-of.ts";
import { areTags, parseTags } from "./tags.ts";

test("each tag is taken once, with any separators", () => {
  expect(parseTags(" a:1\nb, a:1,,\tc ")).toEqual(["a:1", "b", "c"]);
  expect(areTags([])).toBe(false);
  expect(areTags(Array.from({ length: 101 }, String))).toBe(false);
});

test("progress is known once there is something to do", () => {
  expect(shareOf({ done: 3, left: 1 })).toBe(0.75);
  expect(shareOf({ done: 0, left: 0 })).toBeUndefined();
  expect(ratioOf(3, 1)).toBe(0.75);
  expect(ratioOf(0, 0)).toBeUndefined();
});
