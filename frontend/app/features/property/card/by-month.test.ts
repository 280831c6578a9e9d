import { expect, test } from "vitest";
import { byMonth } from "./by-month.ts";

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
