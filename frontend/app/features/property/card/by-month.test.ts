import { expect, test } from "vitest";
import { byMonth } from "./by-month.ts";

test("items are grouped by their month in Spanish time", () => {
  const items = [
    { ref: "a", publishedAt: "2026-10-31T23:30:00Z" },
    { ref: "b", publishedAt: "2026-10-31T12:00:00Z" },
    { ref: "c", publishedAt: "2026-10-02T12:00:00Z" },
  ];
  const monthsOf = (locale: "en" | "es") =>
    byMonth(items, locale).map(({ name, items: found }) => [
      name,
      found.map(({ ref }) => ref).join(""),
    ]);
  expect(monthsOf("en")).toEqual([
    ["November 2026", "a"],
    ["October 2026", "bc"],
  ]);
  expect(monthsOf("es")).toEqual([
    ["Noviembre de 2026", "a"],
    ["Octubre de 2026", "bc"],
  ]);
});

test("the newest month is first, whatever the order of the items", () => {
  const items = ["2026-01-20", "2025-12-10", "2026-02-02", "2026-01-05"].map((day) => ({
    publishedAt: `${day}T12:00:00Z`,
  }));
  expect(byMonth(items, "en").map(({ key, items: found }) => [key, found.length])).toEqual([
    ["2026-02", 1],
    ["2026-01", 2],
    ["2025-12", 1],
  ]);
});
