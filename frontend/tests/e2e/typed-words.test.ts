import { expect, test } from "vitest";
import { ask, hydrated, open, READABLE, visitor } from "./site.ts";

const DESK = { viewport: { width: 1440, height: 900 } } as const;

/** Returns the number of properties that the API finds for `query`. */
async function found(query: string): Promise<number> {
  const { total } = (await (await ask(`/api/properties?${query}`)).json()) as { total: number };
  return total;
}

test("words typed in a list add to its filters, and override its limits", async () => {
  const page = await visitor(DESK);
  await open(page, "/property-for-sale/nerja?maxPrice=300000");
  const form = await hydrated(page.locator("#filters-form"));
  const field = form.getByLabel("Where or what");
  await field.fill("torrox under 800k");
  await field.press("Enter");
  for (const name of ["Nerja", "Torrox", "up to €800,000"]) {
    await page.getByRole("link", { name: `Remove filter: ${name}`, exact: true }).waitFor();
  }
  expect(await page.locator("main a.chip").count()).toBe(3);
  const total = await found("location=nerja&location=torrox&maxPrice=800000");
  expect(total).toBeGreaterThan(await found("location=nerja&maxPrice=800000"));
  const count = page.locator("main p[aria-live=polite]");
  await expect.poll(() => count.textContent()).toMatch(new RegExp(`^${total} `));
  // The text about one place is not shown for both.
  expect(await page.locator("main h1 + p").textContent()).not.toContain("best-known town");
});

test("a mistyped reference shows the number of homes that the list has without it", async () => {
  const page = await visitor({ javaScriptEnabled: false });
  await page.goto("/property-for-sale?q=AH-9999", READABLE);
  const way = page.getByRole("link", { name: /^Remove: “AH-9999”/ });
  const told = await way.textContent();
  await way.click();
  await page.waitForURL("**/property-for-sale", READABLE);
  const count = await page.locator("main p[aria-live=polite]").textContent();
  expect(told).toBe(`Remove: “AH-9999”${count}`);
});
