import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { everyTemplate, spanish } from "./addresses.ts";
import { anyProperty, open, visitor } from "./site.ts";

/** A phone whose letters are twice as large (WCAG 1.4.4), and 400 % of a large screen (1.4.10). */
const SCREENS = [
  { width: 390, height: 844, letters: 32 },
  { width: 320, height: 640, letters: 16 },
] as const;

/** Letters of a size that the visitor chose in the browser's own settings. */
async function withLetters(page: Page, letters: number): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Page.setFontSizes", { fontSizes: { standard: letters } });
}

/**
 * What stands beside the window, and text that its box cuts off. What scrolls sideways by design
 * (the pictures) may go on beyond it, and what says "…" of a text that stands whole elsewhere.
 */
function hidden(): string[] {
  const width = document.documentElement.clientWidth;
  const scrolls = (element: Element) => getComputedStyle(element).overflowX !== "visible";
  const found: string[] = [];
  for (const element of document.body.querySelectorAll("*")) {
    const { left, right, width: own, height } = element.getBoundingClientRect();
    const style = getComputedStyle(element);
    const text = element.textContent?.trim().slice(0, 40) ?? "";
    const seen = own > 1 && height > 1 && element.checkVisibility({ visibilityProperty: true });
    if (!seen || text === "" || element.closest(".sr-only, [aria-hidden=true]")) continue;
    let within = element.parentElement;
    while (within && within !== document.body && !scrolls(within)) within = within.parentElement;
    const free = within === document.body || within === null;
    if (free && (right > width + 1 || left < -1)) found.push(`beside the window: ${text}`);
    const cuts = ["hidden", "clip"].includes(style.overflowX) && style.textOverflow !== "ellipsis";
    if (cuts && element.scrollWidth > element.clientWidth + 2) {
      found.push(`cut off: ${text}`);
    }
  }
  return found;
}

const templates = await everyTemplate();

describe.each(SCREENS)("$width px and letters of $letters px", ({ letters, ...viewport }) => {
  test.each(templates)("%s shows all that it says", async (_, [path = ""]) => {
    const page = await visitor({ viewport });
    await withLetters(page, letters);
    for (const address of [path, spanish(path)]) {
      await open(page, address);
      expect([address, ...(await page.evaluate(hidden))]).toEqual([address]);
    }
  });

  test.each([
    ["/", "menu"],
    ["/property-for-sale", "filters"],
    ["/docs/buying", "doc-menu"],
    ["home", "share"],
  ])("%s shows all of its panel %s", async (path, panel) => {
    const page = await visitor({ viewport });
    await withLetters(page, letters);
    await open(page, spanish(path === "home" ? (await anyProperty()).path : path));
    await page.locator(`button[popovertarget=${panel}]:not([popovertargetaction])`).click();
    await page.locator(`#${panel}:popover-open`).waitFor();
    expect(await page.evaluate(hidden)).toEqual([]);
  });
});

test("the way through a search has room beside large letters", async () => {
  const [{ letters, ...viewport }] = SCREENS;
  const page = await visitor({ viewport });
  await withLetters(page, letters);
  await open(page, "/property-for-sale?propertyType=House");
  await page.getByRole("article").first().getByRole("link").click();
  await page.getByRole("navigation", { name: "Homes of your search" }).waitFor();
  expect(await page.evaluate(hidden)).toEqual([]);
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
