import { expect, test } from "vitest";
import { shortDescription } from "./description.ts";

test("what fits is left as it is, on one line", () => {
  expect(shortDescription(" A home\n by the sea. ")).toBe("A home by the sea.");
  expect(shortDescription("a".repeat(160))).toHaveLength(160);
});

test("what is longer ends after a whole word", () => {
  const short = shortDescription(`${"casa, ".repeat(40)}`);
  expect(short.length).toBeLessThanOrEqual(160);
  expect(short).toMatch(/casa…$/);
});
