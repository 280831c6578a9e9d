import { expect, test } from "vitest";
import { reasonsOf } from "./reasons.ts";

test("why an item is parked has what is there and what was good", () => {
  expect(
    reasonsOf({
      violations: [
        { field: "price", value: "-5", rule: "above 0" },
        { field: "title", value: '""', rule: "not empty" },
        { field: "", value: "", rule: "can't be read" },
      ],
      differences: [
        { field: "price", parked: "-5", lastGood: "485000" },
        { field: "title", parked: '""', lastGood: null },
      ],
    }),
  ).toEqual([
    { field: "price", rule: "above 0", now: "-5", lastGood: "485000" },
    { field: "title", rule: "not empty", now: "", lastGood: null },
    { field: "", rule: "can't be read", now: undefined, lastGood: undefined },
  ]);
});
