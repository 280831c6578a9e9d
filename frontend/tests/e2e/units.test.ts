import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { anyProperty, listed, open, painted, READABLE, visitor } from "./site.ts";

/** How far what is seen has moved by itself, as the browser reckons it (Layout Instability API). */
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

/** Has somebody who wants both units compare one home. */
const comparesInBoth = (page: Page, compared = "") =>
  page.addInitScript((reference) => {
    localStorage.setItem("units", "both");
    const homes = [{ reference, compared: true, changedAt: new Date().toISOString() }];
    localStorage.setItem("my-homes", JSON.stringify(homes));
  }, compared);

test("who wants pounds and square feet besides has them on homes and cards, until no longer", async () => {
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
  // The kept choice shows with the script.
  await page
    .getByRole("checkbox", { name: "Also in pounds and square feet", checked: true })
    .waitFor();
  await choice.uncheck();
  await panel.getByText(/£/).waitFor({ state: "detached" });
  expect(await page.evaluate(() => localStorage.getItem("units"))).toBeNull();
});

test("who wants them has them on a pin's card and beside each home that is compared", async () => {
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

test("a device whose memory is cleared in one tab shows them in no other", async () => {
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

test("what comes besides moves nothing", async () => {
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
      // Letters that come late move a little by themselves: it is counted from when they are there.
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
  // Its styles, which hide what needs a script, may be later than its words.
  await page.getByRole("heading", { level: 1 }).waitFor();
  const choice = page.getByText("Also in pounds and square feet");
  expect(await choice.isVisible()).toBe(false);
});
