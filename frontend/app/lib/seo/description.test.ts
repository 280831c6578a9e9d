import { expect, test } from "vitest";
import { shortDescription } from "./description.ts";

test("a description that fits is unchanged, on one line", () => {
  expect(shortDescription(" A home\n by the sea. ")).toBe("A home by the sea.");
  expect(shortDescription("a".repeat(160))).toHaveLength(160);
});

test("a longer description ends after a complete word", () => {
  const short = shortDescription(`${"casa, ".repeat(40)}`);
  expect(short.length).toBeLessThanOrEqual(160);
  expect(short).toMatch(/casa…$/);
});
