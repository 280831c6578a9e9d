import { expect, test } from "vitest";
import { summaryAbove } from "./summary-above.ts";

test("the beginning of a text is not repeated above it", () => {
  const text = "<h2>Sea</h2><p>Sun &amp; <em>sea</em>, in\u00a0Nerja. And more.</p>";
  expect(summaryAbove("Sun & sea, in Nerja…", text)).toBe("");
  expect(summaryAbove("Sun & sea, in Nerja. And more.", text)).toBe("");
  expect(summaryAbove("", text)).toBe("");
  expect(summaryAbove("1 < 2", "<p>1 &lt; 2</p>")).toBe("");
  expect(summaryAbove("A home by the sea.", text)).toBe("A home by the sea.");
  expect(summaryAbove("sea", text)).toBe("sea");
});
