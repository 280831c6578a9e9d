import { expect, test } from "vitest";
import { isPlainClick } from "./is-plain-click.ts";

const CLICK = { altKey: false, button: 0, ctrlKey: false, metaKey: false, shiftKey: false };

test("a click with another button or with a key leaves the link to the browser", () => {
  expect(isPlainClick(CLICK)).toBe(true);
  expect(isPlainClick({ ...CLICK, button: 1 })).toBe(false);
  for (const key of ["altKey", "ctrlKey", "metaKey", "shiftKey"]) {
    expect(isPlainClick({ ...CLICK, [key]: true }), key).toBe(false);
  }
});
