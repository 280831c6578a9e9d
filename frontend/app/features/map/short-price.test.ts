import { expect, test } from "vitest";
import { shortPrice } from "./short-price.ts";

test.each([
  [310_000, "€310k", "310k\u00a0€"],
  [89_500, "€90k", "90k\u00a0€"],
  [999_400, "€999k", "999k\u00a0€"],
  [999_600, "€1m", "1M\u00a0€"],
  [1_250_000, "€1.25m", "1,25M\u00a0€"],
  [1_395_000, "€1.40m", "1,40M\u00a0€"],
  [1_400_000, "€1.4m", "1,4M\u00a0€"],
  [12_000_000, "€12m", "12M\u00a0€"],
])("%d is %s and %s", (price, english, spanish) => {
  expect([shortPrice("en", price), shortPrice("es", price)]).toEqual([english, spanish]);
});
