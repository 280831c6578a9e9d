import { expect, test } from "vitest";
import {
  type Draft,
  NO_DRAFT,
  rebaseFields,
  type Submission,
  settleSubmissions,
  withoutSubmitted,
} from "./filter-draft.ts";

function submission(path: string, draft: Draft): Submission {
  return { path, fields: new URLSearchParams(), draft, words: "" };
}

test("an arrived list clears the submitted values from the draft, and keeps those changed since", () => {
  const draft: Draft = new Map([
    ["minPrice", ["250000"]],
    ["features", ["pool"]],
  ]);
  const sent = [submission("/a", draft)];
  expect(withoutSubmitted(draft, sent)).toBe(NO_DRAFT);
  const since: Draft = new Map([...draft, ["minPrice", ["2500001"]], ["maxPrice", ["9"]]]);
  expect([...withoutSubmitted(since, sent)]).toEqual([
    ["minPrice", ["2500001"]],
    ["maxPrice", ["9"]],
  ]);
});

test("an arrival settles the submission that led there and earlier ones, not later ones", () => {
  const [first, second, third] = ["/a", "/b", "/c"].map((path) => submission(path, new Map()));
  const sent = [first, second, third].filter((each) => each !== undefined);
  expect(settleSubmissions(sent, "/b")).toEqual({ settled: [first, second], pending: [third] });
  expect(settleSubmissions(sent, "/c")).toEqual({ settled: sent, pending: [] });
  expect(settleSubmissions(sent, "/elsewhere")).toEqual({ settled: sent, pending: [] });
});

test.each([
  ["a ticked box", "features=pool", "features=pool&features=garage", "", "features=garage"],
  ["an order", "bbox=1", "bbox=1&sort=oldest", "bbox=2", "sort=oldest&bbox=2"],
  [
    "an order that replaces another",
    "",
    "sort=price-desc",
    "sort=price-asc&view=map",
    "sort=price-desc&view=map",
  ],
  ["a bound", "minPrice=2", "minPrice=3", "minPrice=2&view=map", "minPrice=3&view=map"],
  ["nothing", "q=sea&minPrice=2", "q=sea&minPrice=2", "q=sea", "q=sea"],
  ["removed values", "minPrice=2&status=sold", "", "minPrice=2&reduced=true", "reduced=true"],
])("changes of the form are applied to a list that is still loading: %s", (_, ...texts) => {
  const [before, now, coming, next] = texts.map((text) => new URLSearchParams(text));
  if (!before || !now || !coming || !next) throw new Error("one is missing");
  expect([...rebaseFields(coming, before, now)]).toEqual([...next]);
});

test.each([
  ["another order", "sort=price-asc", "sort=price-desc", "sort=price-desc&bbox=2"],
  ["the usual order", "sort=price-asc", "", "bbox=2"],
  ["a box that is unticked", "features=pool&sort=oldest", "sort=oldest", "sort=oldest&bbox=2"],
])("the form removes what the map has copied from its submission: %s", (_, ...texts) => {
  const [sent, now, next] = texts.map((text) => new URLSearchParams(text));
  if (!sent || !now || !next) throw new Error("one is missing");
  const coming = new URLSearchParams([["bbox", "2"], ...sent]);
  const rebased = rebaseFields(coming, new URLSearchParams(), now, sent);
  expect([...new Set(String(rebased).split("&"))].sort()).toEqual(String(next).split("&").sort());
});

test("what is still ticked is submitted again after a link replaced its submission", () => {
  const sent = new URLSearchParams("features=pool");
  const now = new URLSearchParams("features=pool&reduced=true");
  const rebased = rebaseFields(new URLSearchParams("q=sea"), new URLSearchParams(), now, sent);
  expect(String(rebased)).toBe("features=pool&reduced=true&q=sea");
});
