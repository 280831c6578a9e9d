import { expect, test } from "vitest";
import { leadOf } from "./lead.ts";

test("the beginning of a text is not repeated above it", () => {
  const text = "<h2>Sea</h2><p>Sun &amp; <em>sea</em>, in\u00a0Nerja. And more.</p>";
  expect(leadOf("Sun & sea, in Nerja…", text)).toBe("");
  expect(leadOf("Sun & sea, in Nerja. And more.", text)).toBe("");
  expect(leadOf("", text)).toBe("");
  expect(leadOf("1 < 2", "<p>1 &lt; 2</p>")).toBe("");
  expect(leadOf("A home by the sea.", text)).toBe("A home by the sea.");
  expect(leadOf("sea", text)).toBe("sea");
});
