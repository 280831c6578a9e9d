import { expect, test } from "vitest";
import { lazy } from "./lazy.ts";

test("a renderer has every part from when it starts, whatever becomes of its files", () => {
  let loads = 0;
  lazy(async () => {
    loads += 1;
    return { default: () => null };
  });
  expect(loads).toBe(1);
});
