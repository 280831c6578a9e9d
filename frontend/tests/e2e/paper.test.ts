import { expect, test } from "vitest";
import { readPrint } from "../sheet-file.ts";
import { open, visitor } from "./site.ts";

test("a page in the dark theme prints dark text, uncovered, with no card cut", async () => {
  const page = await visitor();
  await page.addInitScript(() => localStorage.setItem("theme", "dark"));
  await open(page, "/es/property-for-sale");
  await page.emulateMedia({ media: "print" });
  const html = page.locator("html");
  expect(await html.getAttribute("data-theme")).toBe("dark");
  expect(await html.evaluate((root) => getComputedStyle(root).colorScheme)).toBe("light");
  const card = page.locator(".card").first();
  expect(await card.evaluate((element) => getComputedStyle(element).breakInside)).toBe("avoid");
  const { pages, text } = await readPrint(await page.pdf({ preferCSSPageSize: true }));
  expect(pages).toBeGreaterThan(1);
  expect(text).not.toContain("Saltar al contenido");
});
