import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ICONS } from "#app/lib/icon-names.ts";

test("the sprite has each icon that can be named, and no other", () => {
  const sprite = readFileSync(new URL("./icons.svg", import.meta.url), "utf8");
  expect(Array.from(sprite.matchAll(/<symbol id="([\w-]+)"/g), ([, id]) => id)).toEqual([...ICONS]);
});
