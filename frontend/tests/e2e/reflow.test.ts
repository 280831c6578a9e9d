import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { everyTemplate, examples, spanish } from "./addresses.ts";
import { anyProperty, listed, open, visitor } from "./site.ts";

/** Phones, 400 % of a large screen (WCAG 1.4.10), and letters that are twice as large (1.4.4). */
const SCREENS = [
  { width: 390, height: 844, letters: 32 },
  { width: 320, height: 640, letters: 16 },
  { width: 768, height: 1024, letters: 16 },
  { width: 1280, height: 900, letters: 32 },
] as const;

/**
 * What stands beside the window, and text that its box cuts off. What scrolls sideways by design
 * (the pictures) may go on beyond it, and so may a map and what says "…" of a text that stands
 * whole elsewhere.
 */
function hidden(): string[] {
  const width = document.documentElement.clientWidth;
  const scrolls = (element: Element) => getComputedStyle(element).overflowX !== "visible";
  const found: string[] = [];
  for (const element of document.body.querySelectorAll("*")) {
    const { left, right, width: own, height } = element.getBoundingClientRect();
    const isBeside = right > width + 1 || left < -1;
    const isFuller = element.scrollWidth > element.clientWidth + 2;
    if (!isBeside && !isFuller) continue;
    const style = getComputedStyle(element);
    const text = element.textContent?.trim().slice(0, 40) ?? "";
    const seen = own > 1 && height > 1 && element.checkVisibility({ visibilityProperty: true });
    if (
      !seen ||
      text === "" ||
      element.closest(".sr-only, [aria-hidden=true], [data-drawn], .maplibregl-map")
    )
      continue;
    let within = element.parentElement;
    while (within && within !== document.body && !scrolls(within)) within = within.parentElement;
    const free = within === document.body || within === null;
    if (free && isBeside) found.push(`beside the window: ${text}`);
    const cuts = ["hidden", "clip"].includes(style.overflowX) && style.textOverflow !== "ellipsis";
    if (cuts && isFuller) {
      found.push(`cut off: ${text}`);
    }
  }
  return found;
}

/** Shows the page on each screen, with letters of a size chosen in the browser's own settings. */
async function hiddenOn(page: Page, screens: readonly (typeof SCREENS)[number][]) {
  const devtools = await page.context().newCDPSession(page);
  const found: unknown[] = [];
  for (const { letters, ...viewport } of screens) {
    await page.setViewportSize(viewport);
    await devtools.send("Page.setFontSizes", { fontSizes: { standard: letters } });
    await page.evaluate(() => document.fonts.ready);
    const texts = await page.evaluate(hidden);
    if (texts.length > 0) found.push([page.url(), viewport.width, letters, ...texts]);
  }
  await devtools.detach();
  return found;
}

const PHONES = SCREENS.slice(0, 2);
const PHONE = { width: 390, height: 844 };
const kinds = new Set(await examples());
const isKind = (path: string) => kinds.has(path);

test.each(await everyTemplate())("%s shows all that it says", async (_, addresses) => {
  const page = await visitor({ viewport: PHONE });
  const [first = "/"] = addresses;
  // What differs in words alone differs little in width, and Spanish words are the longer ones.
  for (const path of [first, ...new Set([first, ...addresses.filter(isKind)].map(spanish))]) {
    await open(page, path);
    expect(await hiddenOn(page, SCREENS)).toEqual([]);
  }
});

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

test("the dearest home's price has room in its panel", async () => {
  const [dearest] = await listed("&sort=price-desc", "es");
  const page = await visitor({ viewport: PHONE });
  await open(page, spanish(`/property-for-sale/${dearest?.location.slug}/${dearest?.ref}`));
  expect(await hiddenOn(page, PHONES)).toEqual([]);
});

test("the way through a search has room beside large letters", async () => {
  const page = await visitor({ viewport: PHONE });
  await open(page, "/property-for-sale?propertyType=House");
  await page.getByRole("article").first().getByRole("link").click();
  await page.getByRole("navigation", { name: "Properties in your search" }).waitFor();
  expect(await hiddenOn(page, PHONES)).toEqual([]);
});

test("a telephone on its side keeps four fifths of its window for the page", async () => {
  const viewport = { width: 844, height: 390 };
  const page = await visitor({ viewport, hasTouch: true });
  for (const path of ["/", "/property-for-sale", (await anyProperty()).path]) {
    await open(page, path);
    await page.evaluate(() => scrollTo(0, 900));
    const taken = await page.evaluate(() => {
      const stuck = [...document.querySelectorAll("body *")].filter((element) => {
        const { position } = getComputedStyle(element);
        const { top, bottom, width } = element.getBoundingClientRect();
        const atAnEdge = Math.abs(top) < 2 || Math.abs(bottom - innerHeight) < 2;
        return /sticky|fixed/.test(position) && atAnEdge && width > innerWidth / 2;
      });
      return stuck.reduce((sum, element) => sum + element.getBoundingClientRect().height, 0);
    });
    expect([path, taken <= viewport.height / 5]).toEqual([path, true]);
  }
});
