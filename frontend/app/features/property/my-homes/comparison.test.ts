import { expect, test } from "vitest";
import { ApiError } from "#app/lib/api/answer.ts";
import type { PropertyDetail } from "#app/lib/api/types.ts";
import { featureLine, toComparedHome } from "./comparison.tsx";

const home = { ref: "AH-1" } as PropertyDetail;
const data = { body: home, sequence: 1, tags: [] };

test("a home that has left the site is gone, even with cached data", () => {
  for (const status of [404, 410]) {
    const error = new ApiError(status, "it is gone");
    expect(toComparedHome({ data, error })).toBe("gone");
    expect(toComparedHome({ error })).toBe("gone");
  }
});

test("a home that can't be loaded is not gone", () => {
  const error = new ApiError(503, "nobody answers");
  expect(toComparedHome({ error })).toBe("away");
  expect(toComparedHome({ error: new TypeError("no connection") })).toBe("away");
  expect(toComparedHome({ data, error })).toBe(home);
  expect(toComparedHome({ error: null })).toBe("loading");
});

test("features are one line, a pool is named once, and only the first has a capital", () => {
  const features = ["communal-pool", "pool", "terrace", "zip-line", "air-conditioning", "helipad"];
  const line = "Shared pool, terrace, air conditioning, helipad, zip line";
  expect(featureLine(features, "en")).toBe(line);
  expect(featureLine(features.toReversed(), "en")).toBe(line);
  expect(featureLine([], "es")).toBe("");
});
