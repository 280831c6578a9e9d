import { expect, test } from "vitest";
import { differencesOf, reasonsOf } from "./reasons.ts";

test("each reason has the value now and the last good value", () => {
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

test("every difference is listed, broken rules marked, without values if it is about a person", () => {
  const comparison = {
    fields: [
      { field: "price", now: "-5", lastGood: "485000", broken: true },
      { field: "bedrooms", now: null, lastGood: "4", broken: false },
      { field: "translations.en-GB.title", now: '"…by the sea"', lastGood: '""', broken: false },
    ],
    more: 0,
    whole: true,
    personal: false,
  };
  expect(differencesOf(comparison)).toEqual([
    { field: "price", rule: "", now: "-5", lastGood: "485000", broken: true },
    { field: "bedrooms", rule: "", now: null, lastGood: "4", broken: false },
    {
      field: "translations.en-GB.title",
      rule: "",
      now: "…by the sea",
      lastGood: "",
      broken: false,
    },
  ]);
  const [first] = differencesOf({ ...comparison, personal: true });
  expect(first).toEqual({
    field: "price",
    rule: "",
    now: undefined,
    lastGood: undefined,
    broken: true,
  });
});
