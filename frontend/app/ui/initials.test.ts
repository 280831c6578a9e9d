import { expect, test } from "vitest";
import { initials } from "./initials.ts";

test("initials are at most two letters", () => {
  expect(initials("Carmen Villalba Ortega")).toBe("CV");
  expect(initials("  inés  ")).toBe("I");
  expect(initials("Óscar ñ")).toBe("ÓÑ");
  expect(initials("")).toBe("");
});
