import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { anyProperty, open, visitor } from "./site.ts";

/** The footer's choice of colours: far below what is seen first, and of no use without a script. */
const dark = (page: Page) =>
  page.getByRole("contentinfo").getByRole("button", { name: "Dark", exact: true });

const isAwake = (part: Locator) =>
  part.evaluate((element) => Object.keys(element).some((key) => key.startsWith("__react")));

const theme = (page: Page) => page.locator("html").getAttribute("data-theme");

/** Whether the page is still the document that was opened. */
async function mark(page: Page): Promise<() => Promise<boolean>> {
  await page.evaluate(() => Object.assign(window, { marked: true }));
  return () => page.evaluate(() => Reflect.has(window, "marked"));
}

test("what is far below the window sleeps until the visitor scrolls there", async () => {
  const page = await visitor();
  const { path } = await anyProperty();
  for (const address of ["/", "/property-for-sale", path]) {
    await open(page, address);
    // Whatever would wake by itself has had the time to.
    await page.waitForTimeout(500);
    expect(await isAwake(dark(page))).toBe(false);
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    await expect.poll(() => isAwake(dark(page))).toBe(true);
  }
});

test("it wakes for the keyboard, in time for the key that is pressed there", async () => {
  const page = await visitor();
  await open(page, "/");
  expect(await isAwake(dark(page))).toBe(false);
  await dark(page).focus();
  await page.keyboard.press("Enter");
  await expect.poll(() => theme(page)).toBe("dark");
  expect(await dark(page).getAttribute("aria-pressed")).toBe("true");
});

test("it wakes for a click that nothing announced, and takes it", async () => {
  const page = await visitor();
  await open(page, "/property-for-sale");
  const same = await mark(page);
  const card = page.getByRole("article").last().getByRole("link");
  expect(await isAwake(card)).toBe(false);
  const title = (await card.textContent()) ?? "";
  await card.evaluate((link) => (link as HTMLElement).click());
  await page.getByRole("heading", { level: 1, name: title, exact: true }).waitFor();
  expect(await same()).toBe(true);
});

test("a step to another page and back leaves nothing asleep or away", async () => {
  const page = await visitor();
  await open(page, "/property-for-sale");
  const same = await mark(page);
  await page.getByRole("banner").getByRole("link").first().click();
  await page.waitForURL(/\/$/);
  const cards = page.getByRole("article");
  await expect.poll(() => isAwake(cards.last())).toBe(true);
  expect(await isAwake(dark(page))).toBe(true);
  await page.goBack();
  await page.waitForURL("**/property-for-sale");
  await expect.poll(() => isAwake(cards.last())).toBe(true);
  expect(await same()).toBe(true);
});

test("what was written before the script came counts", async () => {
  const page = await visitor();
  const scripts = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<void>();
  await page.route("**/*.js", async (route) => {
    await scripts.promise;
    await route.continue();
  });
  await page.route("**/api/properties?*", async (route) => {
    await answer.promise;
    await route.continue();
  });
  await page.goto("/property-for-sale", { waitUntil: "domcontentloaded" });
  const least = page.locator("input[name=minPrice]");
  await least.pressSequentially("250000");
  scripts.resolve();
  // It stays while the script takes the page over and asks for what it means.
  await page.locator("input[type=range]:enabled").first().waitFor();
  expect(await least.inputValue()).toBe("250000");
  answer.resolve();
  await page.waitForURL("**/property-for-sale?minPrice=250000");
  expect(await least.inputValue()).toBe("250000");
});
