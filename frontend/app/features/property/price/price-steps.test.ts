import { expect, test } from "vitest";
import type { HistoryEntry } from "#app/lib/api/types.ts";
import { reductionOf } from "./price-difference.ts";
import { priceSteps } from "./price-steps.ts";

test("a reduction is in euros and percent", () => {
  expect(reductionOf(190_000, 200_000)).toEqual({ amount: 10_000, percent: 5 });
  for (const [price, before] of [
    [200_000, 200_000],
    [210_000, 200_000],
    [null, 200_000],
    [200_000, null],
    [0, 10],
  ]) {
    expect(reductionOf(price, before)).toBeUndefined();
  }
});

const entry = (at: string, price: number | null, status: HistoryEntry["status"] = "for_sale") => ({
  at,
  price,
  status,
});

test("the history contains only changes, newest first", () => {
  const steps = priceSteps([
    entry("2026-01-01", 200_000),
    entry("2026-01-02", 200_000),
    entry("2026-02-01", 190_000),
    entry("2026-03-01", 190_000, "under_offer"),
    entry("2026-04-01", 209_000),
  ]);
  expect(steps.map(({ at, change, raised }) => [at, change?.amount, raised])).toEqual([
    ["2026-04-01", 19_000, true],
    ["2026-03-01", undefined, false],
    ["2026-02-01", 10_000, false],
    ["2026-01-01", undefined, false],
  ]);
  expect(steps[0]?.change?.percent).toBeCloseTo(10);
});

test("after a time on request, a price is compared with the last known one", () => {
  const [latest] = priceSteps([
    entry("2026-01-01", 200_000),
    entry("2026-02-01", null),
    entry("2026-03-01", 180_000),
  ]);
  expect(latest?.change).toEqual({ amount: 20_000, percent: 10 });
});
