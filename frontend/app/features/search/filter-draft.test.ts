import { expect, test } from "vitest";
import { carriedOn, type Draft, NO_DRAFT, type Sent, settle, withoutSent } from "./filter-draft.ts";

function sending(path: string, draft: Draft): Sent {
  return { path, fields: new URLSearchParams(), draft, words: "" };
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

test.each([
  ["a box", "features=pool", "features=pool&features=garage", "", "features=garage"],
  ["an order", "bbox=1", "bbox=1&sort=oldest", "bbox=2", "sort=oldest&bbox=2"],
  [
    "an order beside another's",
    "",
    "sort=price-desc",
    "sort=price-asc&view=map",
    "sort=price-desc&view=map",
  ],
  ["a bound", "minPrice=2", "minPrice=3", "minPrice=2&view=map", "minPrice=3&view=map"],
  ["nothing", "q=sea&minPrice=2", "q=sea&minPrice=2", "q=sea", "q=sea"],
  ["what is taken out", "minPrice=2&status=sold", "", "minPrice=2&reduced=true", "reduced=true"],
])("what the form has come to say goes on with the list that comes: %s", (_, ...texts) => {
  const [before, now, coming, next] = texts.map((text) => new URLSearchParams(text));
  if (!before || !now || !coming || !next) throw new Error("one is missing");
  expect([...carriedOn(coming, before, now)]).toEqual([...next]);
});

test.each([
  ["another order", "sort=price-asc", "sort=price-desc", "sort=price-desc&bbox=2"],
  ["the usual order", "sort=price-asc", "", "bbox=2"],
  ["a box that is unticked", "features=pool&sort=oldest", "sort=oldest", "sort=oldest&bbox=2"],
])("what the map carried on of a sending is the form's to take back: %s", (_, ...texts) => {
  const [sent, now, next] = texts.map((text) => new URLSearchParams(text));
  if (!sent || !now || !next) throw new Error("one is missing");
  const coming = new URLSearchParams([["bbox", "2"], ...sent]);
  const carried = carriedOn(coming, new URLSearchParams(), now, sent);
  expect([...new Set(String(carried).split("&"))].sort()).toEqual(String(next).split("&").sort());
});

test("what is still ticked is asked for again where a link took the place of its sending", () => {
  const sent = new URLSearchParams("features=pool");
  const now = new URLSearchParams("features=pool&reduced=true");
  const carried = carriedOn(new URLSearchParams("q=sea"), new URLSearchParams(), now, sent);
  expect(String(carried)).toBe("features=pool&reduced=true&q=sea");
});
