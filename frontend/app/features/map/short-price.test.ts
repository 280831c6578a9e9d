import { expect, test } from "vitest";
import { shortPrice } from "./short-price.ts";

test.each([
  [310_000, "€310k", "310\u00a0mil\u00a0€"],
  [89_500, "€90k", "90\u00a0mil\u00a0€"],
  [999_400, "€999k", "999\u00a0mil\u00a0€"],
  [999_600, "€1m", "1\u00a0M€"],
  [1_250_000, "€1.25m", "1,25\u00a0M€"],
  [1_395_000, "€1.40m", "1,40\u00a0M€"],
  [1_400_000, "€1.4m", "1,4\u00a0M€"],
  [12_000_000, "€12m", "12\u00a0M€"],
])("%d is %s and %s", (price, english, spanish) => {
  expect([shortPrice("en", price), shortPrice("es", price)]).toEqual([english, spanish]);
});
