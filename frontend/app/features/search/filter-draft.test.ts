import { expect, test } from "vitest";
import { type Draft, NO_DRAFT, type Sent, settle, withoutSent } from "./filter-draft.ts";

function sending(path: string, draft: Draft): Sent {
  return { path, draft, words: "" };
}

test("an answer takes back what was sent, and nothing that was written since", () => {
  const draft: Draft = new Map([
    ["minPrice", ["250000"]],
    ["features", ["pool"]],
  ]);
  const sent = [sending("/a", draft)];
  expect(withoutSent(draft, sent)).toBe(NO_DRAFT);
  const since: Draft = new Map([...draft, ["minPrice", ["2500001"]], ["maxPrice", ["9"]]]);
  expect([...withoutSent(since, sent)]).toEqual([
    ["minPrice", ["2500001"]],
    ["maxPrice", ["9"]],
  ]);
});

test("an arrival settles what led there, not what was sent after it", () => {
  const [first, second, third] = ["/a", "/b", "/c"].map((path) => sending(path, new Map()));
  const sent = [first, second, third].filter((each) => each !== undefined);
  expect(settle(sent, "/b")).toEqual({ settled: [first, second], underWay: [third] });
  expect(settle(sent, "/c")).toEqual({ settled: sent, underWay: [] });
  expect(settle(sent, "/elsewhere")).toEqual({ settled: sent, underWay: [] });
});
