import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { newAddress } from "./mail.ts";
import {
  alive,
  anyProperty,
  coveringElement,
  expectFaults,
  hydrated,
  listed,
  open,
  openWhole,
  takesKeys,
  visitor,
  waitForFocus,
} from "./site.ts";

/** More tab stops than any page has between two targets of a journey. */
const FARTHEST = 150;

/**
 * Returns the focused element, whether its focus is visible (an outline, inside the window), and whether
 * it is `target`. All in one call, since each call is slow in Firefox.
 */
function focus(target: Locator) {
  return target.evaluateAll((targets) => {
    const element = document.activeElement;
    if (!element || element === document.body) return { name: "nothing", seen: false, isIt: false };
    const isOutlined = (element: Element, part?: string) => {
      const { outlineStyle, outlineWidth } = getComputedStyle(element, part);
      return outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 2;
    };
    // A field may be outlined together with its label.
    const label = element.closest("label");
    const outlined =
      isOutlined(element) || isOutlined(element, "::after") || (label && isOutlined(label));
    const { top, bottom, left, right } = element.getBoundingClientRect();
    const inside = bottom > 0 && top < innerHeight && right > 0 && left < innerWidth;
    return {
      name: element.outerHTML.slice(0, 120),
      seen: outlined === true && inside,
      isIt: targets.some((each) => each === element),
    };
  });
}

/** Presses Tab until `target` has the focus. At each stop on the way the focus has to be visible. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let stops = 0; stops < FARTHEST; stops++) {
    await page.keyboard.press("Tab");
    const { name, seen, isIt } = await focus(target);
    if (name !== "nothing") expect([name, seen], name).toEqual([name, true]);
    if (isIt) return;
  }
  throw new Error(`${target} is not reached by the Tab key`);
}

test("from the home page to an enquiry, a language and a colour by keys alone", {
  tags: "every-browser",
}, async () => {
  const page = await visitor();
  await openWhole(page, "/");
  await page.keyboard.press("Tab");
  const skip = page.getByRole("link", { name: "Skip to content" });
  await waitForFocus(skip);
  await page.keyboard.press("Enter");
  await waitForFocus(page.locator("#content"));

  // Search.
  await tabTo(page, page.locator("select[name=propertyType]"));
  await page.keyboard.press("ArrowDown");
  await tabTo(page, page.getByRole("button", { name: "Search" }));
  await page.keyboard.press("Enter");
  await page.waitForURL("**/property-for-sale?propertyType=House");
  await waitForFocus(page.locator("#content"));

  // Filter.
  await tabTo(page, page.getByRole("checkbox", { name: "Apartments" }));
  await page.keyboard.press("Space");
  await page.waitForURL("**?propertyType=Apartment&propertyType=House");
  await waitForFocus(page.getByRole("checkbox", { name: "Apartments" }));

  // Open.
  const [first = { title: "" }] = await listed("&propertyType=Apartment&propertyType=House");
  const card = page.getByRole("article").first().getByRole("link");
  await page.getByRole("article").first().getByRole("heading", { name: first.title }).waitFor();
  await tabTo(page, card);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: first.title }).waitFor();
  await waitForFocus(page.locator("#content"));

  // Browse the photographs.
  const opener = page.locator("button[popovertarget=photos]").first();
  await tabTo(page, opener);
  await page.keyboard.press("Enter");
  const lightbox = page.getByRole("dialog", { name: first.title });
  await lightbox.getByText(/^1 \/ /).waitFor();
  await takesKeys(lightbox);
  await page.keyboard.press("ArrowRight");
  await lightbox.getByText(/^2 \/ /).waitFor();
  await page.keyboard.press("Escape");
  await lightbox.waitFor({ state: "hidden" });
  await waitForFocus(opener);

  // Ask.
  const panel = page.getByRole("complementary");
  await tabTo(page, panel.getByLabel("Your name"));
  await page.keyboard.type("Ann Prior");
  await tabTo(page, panel.getByRole("button", { name: "Send enquiry" }));
  await page.keyboard.press("Enter");
  // Without an email address the error summary gets the focus.
  const summary = panel.getByRole("region", { name: "One thing needs correcting" });
  await waitForFocus(summary);
  // The service may have refused it before the browser had loaded the rules.
  expectFaults(/status of 422/, 0);
  await tabTo(page, summary.getByRole("link", { name: /^Your email/ }));
  await page.keyboard.press("Enter");
  await waitForFocus(panel.getByLabel("Your email"));
  await page.keyboard.type(newAddress());
  await tabTo(page, panel.getByRole("button", { name: "Send enquiry" }));
  await page.keyboard.press("Enter");
  await page.waitForURL("**/enquiry/thanks?**");
  await page.getByRole("heading", { level: 1, name: "Thank you for writing to us" }).waitFor();
  // The last part to load, after which the page no longer moves.
  await page.getByRole("main").getByRole("button").waitFor();

  // The other language, and the other colour.
  const path = new URL(page.url()).pathname;
  await tabTo(page, page.getByRole("contentinfo").getByRole("link", { name: "Español" }));
  await page.keyboard.press("Enter");
  await page.waitForURL(`**/es${path}*`);
  await alive(page);
  const dark = page.getByRole("contentinfo").getByRole("button", { name: "Oscuro" });
  await tabTo(page, dark);
  await page.keyboard.press("Enter");
  expect(await page.locator("html").getAttribute("data-theme")).toBe("dark");
  expect(await dark.getAttribute("aria-pressed")).toBe("true");
});

test("the next page of a list is announced, and the focus is on its first home", {
  tags: "every-browser",
}, async () => {
  const page = await visitor();
  await open(page, "/property-for-sale");
  const pages = await hydrated(page.getByRole("navigation", { name: "Pages" }));
  await pages.getByRole("link", { name: "Page 2", exact: true }).press("Enter");
  const told = page.getByRole("status").filter({ hasText: "(Page 2)" });
  await told.waitFor({ state: "attached" });
  await waitForFocus(page.getByRole("article").first().getByRole("link"));
});

test("removing filters by key moves the focus to the next one, and then to the first home", async () => {
  const page = await visitor();
  await open(page, "/property-for-sale?minBedrooms=2&propertyType=Apartment&propertyType=House");
  await hydrated(page.getByRole("checkbox", { name: "Apartments" }));
  const chips = page.locator("main a.chip");
  expect(await chips.count()).toBe(3);
  await chips.nth(1).press("Enter");
  await page.waitForURL((url) => url.searchParams.getAll("propertyType").length === 1);
  // The address changes before the row of chips.
  await expect.poll(() => chips.count()).toBe(2);
  await waitForFocus(chips.nth(1));
  // After the last chip of the row the one before it gets the focus.
  await chips.nth(1).press("Enter");
  await expect.poll(() => chips.count()).toBe(1);
  await waitForFocus(chips.first());
  await chips.first().press("Enter");
  await page.waitForURL("**/property-for-sale");
  await waitForFocus(page.getByRole("article").first().getByRole("link"));
});

test("a menu of the header opens and closes by keys, and gives the focus back", {
  tags: "every-browser",
}, async () => {
  const page = await visitor();
  await open(page, "/");
  const areas = page.locator("header summary").first();
  await tabTo(page, areas);
  await page.keyboard.press("Enter");
  const entry = page.locator("header details[open] a").first();
  await tabTo(page, entry);
  await page.keyboard.press("Escape");
  await entry.waitFor({ state: "hidden" });
  await waitForFocus(areas);
});

test("the menu on a phone opens and closes by keys, and returns the focus", {
  tags: "every-browser",
}, async () => {
  const page = await visitor({ viewport: { width: 390, height: 844 } });
  await open(page, "/es");
  const menu = page.getByRole("button", { name: "Menú" });
  await tabTo(page, menu);
  await page.keyboard.press("Enter");
  await tabTo(page, page.locator("#menu").getByRole("link", { name: "Contacto" }));
  await page.keyboard.press("Escape");
  await page.locator("#menu").waitFor({ state: "hidden" });
  await waitForFocus(menu);
});

test("the menu on a phone closes when the focus moves on by keys", {
  tags: "every-browser",
}, async () => {
  const page = await visitor({ viewport: { width: 390, height: 844 } });
  await openWhole(page, "/");
  await page.getByRole("button", { name: "Menu", exact: true }).press("Enter");
  const panel = page.locator("#menu");
  await panel.getByRole("button").last().focus();
  await page.keyboard.press("Tab");
  await panel.waitFor({ state: "hidden" });
});

test("sticky parts never cover the focused element", async () => {
  const page = await visitor({ viewport: { width: 390, height: 844 }, reducedMotion: "reduce" });
  /** Presses Tab until `isOver`. */
  const step = async (isOver: () => Promise<boolean>) => {
    for (let stops = 0; stops < FARTHEST && !(await isOver()); stops++) {
      await page.keyboard.press("Tab");
      const name = await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 120));
      expect([name, await coveringElement(page)]).toEqual([name, undefined]);
    }
    expect(await isOver()).toBe(true);
  };
  await openWhole(page, (await anyProperty()).path);
  await step(() => page.evaluate(() => !!document.activeElement?.closest("body > footer")));
  await openWhole(page, "/property-for-sale");
  await page.getByRole("button", { name: "Filters" }).press("Enter");
  const panel = page.locator("#filters");
  await panel.waitFor();
  // The panel closes when the focus moves on.
  await step(() => panel.isHidden());
});

test("after a link in the footer is followed by key, the focus is at the start of the next page", {
  tags: "every-browser",
}, async () => {
  const page = await visitor();
  const content = page.locator("#content");
  await openWhole(page, "/");
  const foot = await hydrated(page.getByRole("contentinfo"));
  await foot.getByRole("link", { name: "Nerja", exact: true }).press("Enter");
  await page.waitForURL("**/property-for-sale/nerja");
  await waitForFocus(content);
  await page.keyboard.press("Tab");
  await expect
    .poll(() =>
      content.evaluate((main) => {
        const { activeElement } = document;
        const [list] = main.getElementsByTagName("article");
        const isBefore = list?.compareDocumentPosition(activeElement ?? main) === 2;
        return isBefore && activeElement !== main && main.contains(activeElement);
      }),
    )
    .toBe(true);

  // Also for a card that disappears with its page, and a link to a place below a list.
  await openWhole(page, (await anyProperty()).path);
  const similar = await hydrated(page.locator("main section article").last());
  await similar.getByRole("heading").getByRole("link").press("Enter");
  await waitForFocus(content);
  await openWhole(page, "/property-for-sale/nerja?propertyType=House");
  const all = await hydrated(page.locator('main a.place-link[href="/property-for-sale/nerja"]'));
  await all.press("Enter");
  await page.waitForURL("**/property-for-sale/nerja");
  await waitForFocus(content);
});
