import { expect, test } from "vitest";
import { apiAddress } from "./address.ts";

test("equal queries have the same address", () => {
  const asked = apiAddress("/api/x/{ref}", { ref: "A/1" }, { b: [2, 1], a: "ñ", none: undefined });
  expect(asked).toBe("/api/x/A%2F1?a=%C3%B1&b=2&b=1");
});

test("a path parameter keeps its slashes", () => {
  expect(apiAddress("/api/docs/{slugPath}", { slugPath: "buying/nie number" })).toBe(
    "/api/docs/buying/nie%20number",
  );
});
