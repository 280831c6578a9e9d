import type { Locator } from "playwright-core";
import { expect, test } from "vitest";
import { spanish } from "./addresses.ts";
import { hiddenOn, PHONES } from "./reflow.ts";
import { anyProperty, listed, open, visitor } from "./site.ts";

const PHONE = { width: 390, height: 844 };

test.each([
  ["/", "menu"],
  ["/property-for-sale", "filters"],
  ["/docs/buying", "doc-menu"],
  ["home", "share"],
])("%s shows all of its panel %s", async (path, panel) => {
  const page = await visitor({ viewport: PHONE });
  await open(page, spanish(path === "home" ? (await anyProperty()).path : path));
  await page.locator(`button[popovertarget=${panel}]:not([popovertargetaction])`).click();
  await page.locator(`#${panel}:popover-open`).waitFor();
  expect(await hiddenOn(page, PHONES)).toEqual([]);
});

test("the most expensive home's price fits into its panel", async () => {
  const [dearest] = await listed("&sort=price-desc", "es");
  const page = await visitor({ viewport: PHONE });
  await open(page, spanish(`/property-for-sale/${dearest?.location.slug}/${dearest?.ref}`));
  expect(await hiddenOn(page, PHONES)).toEqual([]);
});

test("the navigation through a search fits with large text", async () => {
  const page = await visitor({ viewport: PHONE });
  await open(page, "/property-for-sale?propertyType=House");
  await page.getByRole("article").first().getByRole("link").click();
  await page.getByRole("navigation", { name: "Properties in your search" }).waitFor();
  expect(await hiddenOn(page, PHONES)).toEqual([]);
});

const LANDSCAPE = { viewport: { width: 844, height: 390 }, hasTouch: true };

/** Returns the part of a phone's window in landscape that bars take which stay when `root` is scrolled. */
function barsIn(root: Locator): Promise<number> {
  return root.evaluate((element) => {
    const stuck = [...element.querySelectorAll("*")].filter((each) => {
      const { position } = getComputedStyle(each);
      const { top, bottom, width } = each.getBoundingClientRect();
      const atAnEdge = Math.abs(top) < 2 || Math.abs(bottom - innerHeight) < 2;
      return /sticky|fixed/.test(position) && atAnEdge && width > innerWidth / 2;
    });
    return stuck.reduce((sum, each) => sum + each.getBoundingClientRect().height, 0) / innerHeight;
  });
}

test("a phone in landscape keeps four fifths of its window for the page", async () => {
  const page = await visitor(LANDSCAPE);
  for (const path of ["/", "/property-for-sale", (await anyProperty()).path]) {
    await open(page, path);
    await page.evaluate(() => scrollTo(0, 900));
    expect([path, (await barsIn(page.locator("body"))) <= 1 / 5]).toEqual([path, true]);
  }
});

test.each([
  ["/", "menu"],
  ["/property-for-sale", "filters"],
  ["/docs/buying", "doc-menu"],
])(
  "a phone in landscape keeps four fifths of its window for what is in %s's panel %s",
  async (path, panel) => {
    const page = await visitor(LANDSCAPE);
    await open(page, path);
    await page.locator(`button[popovertarget=${panel}]:not([popovertargetaction])`).click();
    const opened = page.locator(`#${panel}:popover-open`);
    await opened.waitFor();
    await opened.evaluate((element) => element.scrollTo(0, 300));
    expect(await barsIn(opened)).toBeLessThanOrEqual(1 / 5);
  },
);
