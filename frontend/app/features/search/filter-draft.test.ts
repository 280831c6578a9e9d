import { expect, test } from "vitest";
import { type Draft, NO_DRAFT, withoutSent } from "./filter-draft.ts";

test("an answer takes back what was sent, and nothing that was written since", () => {
  const sent: Draft = new Map([
    ["minPrice", ["250000"]],
    ["features", ["pool"]],
  ]);
  expect(withoutSent(sent, sent)).toBe(NO_DRAFT);
  const since: Draft = new Map([...sent, ["minPrice", ["2500001"]], ["maxPrice", ["9"]]]);
  expect([...withoutSent(since, sent)]).toEqual([
    ["minPrice", ["2500001"]],
    ["maxPrice", ["9"]],
  ]);
});
