import { expect, test } from "vitest";
import { othersAfter } from "./news-order.ts";

const items = ["e", "d", "c", "b", "a"].map((slug) => ({ slug }));
const after = (slug: string, count: number) =>
  othersAfter(items, slug, count)
    .map((item) => item.slug)
    .join("");

test("an article is followed by older ones, the oldest by the newest, always newest first", () => {
  expect(after("d", 3)).toBe("cba");
  expect(after("b", 3)).toBe("eda");
  expect(after("a", 9)).toBe("edcb");
});

test("an article that is not in the list is followed by the newest", () => {
  expect(after("x", 2)).toBe("ed");
});
