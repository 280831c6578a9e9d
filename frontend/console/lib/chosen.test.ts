import { describe, expect, test } from "vitest";
import { allOf, NONE, stillListed, toggled } from "./chosen.ts";

describe("what is chosen", () => {
  test("only holds listed rows, and drops those that have left the list", () => {
    const chosen = new Set(["a", "b"]);
    expect(stillListed(chosen, ["b", "c"])).toEqual(new Set(["b"]));
    expect(stillListed(chosen, ["a", "b", "c"])).toBe(chosen);
  });

  test("is toggled row by row, up to the maximum", () => {
    expect(toggled(NONE, "a", 2)).toEqual(new Set(["a"]));
    expect(toggled(new Set(["a"]), "a", 2)).toEqual(NONE);
    expect(toggled(new Set(["a", "b"]), "c", 2)).toEqual(new Set(["a", "b"]));
    expect(allOf(["a", "b", "c"], 2)).toEqual(new Set(["a", "b"]));
  });
});
