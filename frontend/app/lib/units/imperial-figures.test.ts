import { expect, test } from "vitest";
import { formatPounds, formatSquareFeet } from "./imperial-figures.ts";

test("square feet are integers, and pounds are rounded", () => {
  expect(formatSquareFeet("en", 120)).toBe("1,292\u00a0sq\u00a0ft");
  expect(formatSquareFeet("es", 120)).toBe("1.292\u00a0pies²");
  expect(formatPounds("en", 350_000 * 0.8634)).toBe("£302,000");
  expect(formatPounds("es", 350_000 * 0.8634)).toBe("302.000\u00a0£");
  expect(formatPounds("en", 19_000 * 0.8634)).toBe("£16,400");
});
