import { expect, test } from "vitest";
import { byMonth, latestWithin } from "./by-month.ts";

test("things stand under the month that they came in, as the coast counts it", () => {
  const items = [
    { ref: "a", publishedAt: "2026-10-31T23:30:00Z" },
    { ref: "b", publishedAt: "2026-10-31T12:00:00Z" },
    { ref: "c", publishedAt: "2026-10-02T12:00:00Z" },
  ];
  const named = (locale: "en" | "es") =>
    byMonth(items, locale).map(({ name, items: found }) => [
      name,
      found.map(({ ref }) => ref).join(""),
    ]);
  expect(named("en")).toEqual([
    ["November 2026", "a"],
    ["October 2026", "bc"],
  ]);
  expect(named("es")).toEqual([
    ["Noviembre de 2026", "a"],
    ["Octubre de 2026", "bc"],
  ]);
});

test("new is what came in the thirty days before the latest", () => {
  const items = ["2026-11-15", "2026-10-16", "2026-10-15"].map((day) => ({
    publishedAt: `${day}T00:00:00Z`,
  }));
  expect(latestWithin(items, 30)).toEqual(items.slice(0, 2));
  expect(latestWithin([], 30)).toEqual([]);
});
