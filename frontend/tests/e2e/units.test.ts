import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { anyProperty, listed, open, painted, READABLE, visitor } from "./site.ts";

/** Measures layout shifts by the Layout Instability API. */
async function countMoves(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    Object.assign(window, { moved: 0 });
    new PerformanceObserver((entries) => {
      for (const entry of entries.getEntries()) {
        Object.assign(window, {
          moved: Reflect.get(window, "moved") + Reflect.get(entry, "value"),
        });
      }
    }).observe({ type: "layout-shift", buffered: true });
  });
  return () => page.evaluate(() => Reflect.get(window, "moved"));
}

/** Stores a comparison of one home and the choice of both units. */
const comparesInBoth = (page: Page, compared = "") =>
  page.addInitScript((reference) => {
    localStorage.setItem("units", "both");
    const homes = [{ reference, compared: true, changedAt: new Date().toISOString() }];
    localStorage.setItem("my-homes", JSON.stringify(homes));
  }, compared);

test("pounds and square feet are shown on homes and cards while they are chosen", async () => {
  const { path } = await anyProperty();
  const page = await visitor();
  await open(page, path);
  const panel = page.getByRole("complementary");
  expect(await panel.getByText(/£/).count()).toBe(0);
  const choice = page.getByRole("checkbox", { name: "Also in pounds and square feet" });
  await choice.check();
  await panel.getByText(/^about £[\d,]+$/).waitFor();
  await page
    .locator(".facts")
    .getByText(/^[\d,]+\ssq\sft$/)
    .first()
    .waitFor();
  await page.getByText(/^£0\.86 to the euro, \d+ \w+ \d{4}/).waitFor();

  await open(page, "/es/property-for-sale");
  const card = page.getByRole("article").first();
  await card.getByText(/^unas [\d.]+\s£$/).waitFor();
  await card.getByText(/pies²/).first().waitFor();

  await open(page, path);
  // The stored choice is shown by the script.
  await page
    .getByRole("checkbox", { name: "Also in pounds and square feet", checked: true })
    .waitFor();
  await choice.uncheck();
  await panel.getByText(/£/).waitFor({ state: "detached" });
  expect(await page.evaluate(() => localStorage.getItem("units"))).toBeNull();
});

test("they are shown on a pin's card and in the comparison", async () => {
  const [home] = await listed("&status=for_sale&kind=villa");
  const page = await visitor();
  await comparesInBoth(page, home?.ref);
  await open(page, "/property-for-sale?view=map");
  const map = page.getByRole("group", { name: "Map of the properties" });
  await map.getByRole("button", { name: "Zoom in", exact: true }).waitFor();
  await page.locator("[role=group][aria-busy=false]").waitFor();
  const pins = map.getByRole("list", { name: "Properties on the map" }).getByRole("link");
  await pins.filter({ hasText: "€" }).first().click();
  const pounds = /^about £[\d,]+$/;
  await map.getByRole("dialog").getByText(pounds).waitFor();

  await open(page, "/account/compare");
  const table = page.getByRole("table", { name: "Compare" });
  await table.getByText(pounds).waitFor();
  await table
    .getByText(/^[\d,]+\ssq\sft$/)
    .first()
    .waitFor();
});

test("when storage is cleared in one tab, no other tab shows them", async () => {
  const { path } = await anyProperty();
  const page = await visitor();
  await page.addInitScript(() => localStorage.setItem("units", "both"));
  await open(page, path);
  const pounds = page.getByRole("complementary").getByText(/^about £[\d,]+$/);
  await pounds.waitFor();
  const other = await page.context().newPage();
  await open(other, "/about");
  await other.evaluate(() => localStorage.clear());
  await pounds.waitFor({ state: "detached" });
});

test("the additional units cause no layout shift", async () => {
  const [home] = await listed("&status=for_sale&kind=villa");
  for (const width of [1280, 390]) {
    const page = await visitor({ viewport: { width, height: 900 } });
    await comparesInBoth(page, home?.ref);
    const moved = await countMoves(page);
    let come = Promise.withResolvers<void>();
    await page.route("**/assets/imperial-*", async (route) => {
      await come.promise;
      await route.continue();
    });
    for (const [address, figures] of [
      ["/property-for-sale", ".price small"],
      [`/property-for-sale/${home?.location.slug}/${home?.ref}`, ".price small"],
      ["/account/compare", ".comparison small"],
    ] as const) {
      come = Promise.withResolvers();
      await open(page, address);
      const besides = page.locator(figures).filter({ visible: true }).first();
      if (address === "/account/compare") {
        await page.locator(".comparison thead a").waitFor();
      }
      // Late fonts cause small shifts, so counting starts once they are loaded.
      await page.evaluate(() => document.fonts.ready);
      await painted(page);
      expect(await besides.count()).toBe(0);
      await page.evaluate(() => Object.assign(window, { moved: 0 }));
      come.resolve();
      await besides.waitFor();
      await painted(page);
      expect(await moved(), `${address} at ${width}`).toBeLessThan(0.01);
    }
  }
});

test("without a script the choice is not shown", async () => {
  const { path } = await anyProperty();
  const page = await visitor({ javaScriptEnabled: false });
  await page.goto(path, READABLE);
  const choice = page.getByText("Also in pounds and square feet");
  await choice.waitFor({ state: "attached" });
  // The styles, which hide what needs a script, may load later than the text.
  await choice.waitFor({ state: "hidden" });
});
