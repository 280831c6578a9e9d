import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { visualEditingStyles } from "./visual-editing-styles.ts";

test("the styles of the Studio's buttons match its package", () => {
  const file = new URL("../app/features/shell/preview/visual-editing.gen.css", import.meta.url);
  const made = visualEditingStyles();
  expect(made.length).toBeGreaterThan(5_000);
  expect(readFileSync(file, "utf8")).toBe(made);
});
