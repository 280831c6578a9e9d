import { expect, test } from "vitest";
import { ApiError } from "#app/lib/api/answer.ts";
import type { PropertyDetail } from "#app/lib/api/types.ts";
import { comparedHome, featureLine } from "./comparison.tsx";

const home = { ref: "AH-1" } as PropertyDetail;
const data = { body: home, sequence: 1, tags: [] };

test("a home that has left the site is gone, whatever was known of it", () => {
  for (const status of [404, 410]) {
    const error = new ApiError(status, "it is gone");
    expect(comparedHome({ data, error })).toBe("gone");
    expect(comparedHome({ error })).toBe("gone");
  }
});

test("a home that can't be asked for is not gone", () => {
  const error = new ApiError(503, "nobody answers");
  expect(comparedHome({ error })).toBe("away");
  expect(comparedHome({ error: new TypeError("no connection") })).toBe("away");
  expect(comparedHome({ data, error })).toBe(home);
  expect(comparedHome({ error: null })).toBe("loading");
});

test("features are one line, a pool is named once, and only the first has a capital", () => {
  const features = ["communal-pool", "pool", "terrace", "zip-line", "air-conditioning", "helipad"];
  const line = "Shared pool, terrace, air conditioning, helipad, zip line";
  expect(featureLine(features, "en")).toBe(line);
  expect(featureLine(features.toReversed(), "en")).toBe(line);
  expect(featureLine([], "es")).toBe("");
});
