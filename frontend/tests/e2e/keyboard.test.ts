import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { newAddress } from "./mail.ts";
import {
  alive,
  anyProperty,
  complaints,
  cover,
  hydrated,
  listed,
  open,
  openWhole,
  takesKeys,
  visitor,
} from "./site.ts";

/** More stops than any page has between two things of one journey. */
const FARTHEST = 150;

/**
 * What has the focus, whether whoever looks can see it (an outline, inside the window), and whether it
 * is `target`. One question a stop: in Firefox each takes its time.
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

const has = (target: Locator) =>
  target.evaluate((element) => element === document.activeElement).catch(() => false);

/** The browser may give the focus a moment after the key. */
const hasInTheEnd = (target: Locator) => expect.poll(() => has(target)).toBe(true);

/** Goes on by the Tab key to `target`; wherever it stops on the way, the focus is seen. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let stops = 0; stops < FARTHEST; stops++) {
    await page.keyboard.press("Tab");
    const { name, seen, isIt } = await focus(target);
    if (name !== "nothing") expect([name, seen], name).toEqual([name, true]);
    if (isIt) return;
  }
  throw new Error(`${target} is not reached by the Tab key`);
}

test("from the door to an enquiry, a language and a colour by keys alone", {
  tags: "every-browser",
}, async () => {
  const page = await visitor();
  await openWhole(page, "/");
  await page.keyboard.press("Tab");
  const skip = page.getByRole("link", { name: "Skip to content" });
  await hasInTheEnd(skip);
  await page.keyboard.press("Enter");
  await hasInTheEnd(page.locator("#content"));

  // Search.
  await tabTo(page, page.locator("select[name=propertyType]"));
  await page.keyboard.press("ArrowDown");
  await tabTo(page, page.getByRole("button", { name: "Search" }));
  await page.keyboard.press("Enter");
  await page.waitForURL("**/property-for-sale?propertyType=House");
  await hasInTheEnd(page.locator("#content"));

  // Filter.
  await tabTo(page, page.getByRole("checkbox", { name: "Apartments" }));
  await page.keyboard.press("Space");
  await page.waitForURL("**?propertyType=Apartment&propertyType=House");
  await hasInTheEnd(page.getByRole("checkbox", { name: "Apartments" }));

  // Open.
  const [first = { title: "" }] = await listed("&propertyType=Apartment&propertyType=House");
  const card = page.getByRole("article").first().getByRole("link");
  await page.getByRole("article").first().getByRole("heading", { name: first.title }).waitFor();
  await tabTo(page, card);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: first.title }).waitFor();
  await hasInTheEnd(page.locator("#content"));

  // Look through the photographs.
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
  await hasInTheEnd(opener);

  // Ask.
  const panel = page.getByRole("complementary");
  await tabTo(page, panel.getByLabel("Your name"));
  await page.keyboard.type("Ann Prior");
  await tabTo(page, panel.getByRole("button", { name: "Send enquiry" }));
  await page.keyboard.press("Enter");
  // Without an address there is nowhere to answer to: the list of what is wrong has the focus.
  const summary = panel.getByRole("region", { name: "One thing is not right yet" });
  await hasInTheEnd(summary);
  // The service may have said it before the browser had the rules.
  complaints(/status of 422/, 0);
  await tabTo(page, summary.getByRole("link", { name: /^Your email/ }));
  await page.keyboard.press("Enter");
  await hasInTheEnd(panel.getByLabel("Your email"));
  await page.keyboard.type(newAddress());
  await tabTo(page, panel.getByRole("button", { name: "Send enquiry" }));
  await page.keyboard.press("Enter");
  await page.waitForURL("**/enquiry/thanks?**");
  await page.getByRole("heading", { level: 1, name: "Thank you, we have it" }).waitFor();
  // The last part of it, below which everything moves.
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

test("the next page of a list is told, and the focus is on its first home", {
  tags: "every-browser",
}, async () => {
  const page = await visitor();
  await open(page, "/property-for-sale");
  const pages = await hydrated(page.getByRole("navigation", { name: "Pages" }));
  await pages.getByRole("link", { name: "Page 2", exact: true }).press("Enter");
  const told = page.getByRole("status").filter({ hasText: "(Page 2)" });
  await told.waitFor({ state: "attached" });
  await hasInTheEnd(page.getByRole("article").first().getByRole("link"));
});

test("who takes filters away by keys goes on from the next one, and then from the first home", async () => {
  const page = await visitor();
  await open(page, "/property-for-sale?minBedrooms=2&propertyType=Apartment&propertyType=House");
  await hydrated(page.getByRole("checkbox", { name: "Apartments" }));
  const chips = page.locator("main a.chip");
  expect(await chips.count()).toBe(3);
  await chips.nth(1).press("Enter");
  await page.waitForURL((url) => url.searchParams.getAll("propertyType").length === 1);
  // The address changes before the row does.
  await expect.poll(() => chips.count()).toBe(2);
  await hasInTheEnd(chips.nth(1));
  // The last of a row gives way to the one before it.
  await chips.nth(1).press("Enter");
  await expect.poll(() => chips.count()).toBe(1);
  await hasInTheEnd(chips.first());
  await chips.first().press("Enter");
  await page.waitForURL("**/property-for-sale");
  await hasInTheEnd(page.getByRole("article").first().getByRole("link"));
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
  await hasInTheEnd(areas);
});

test("the menu of a telephone opens and closes by keys, and gives the focus back", {
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
  await hasInTheEnd(menu);
});

test("the menu of a telephone closes behind who steps on by keys", {
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

test("what sticks to the window lies over nothing that has the focus", async () => {
  const page = await visitor({ viewport: { width: 390, height: 844 }, reducedMotion: "reduce" });
  /** Goes on by the Tab key until `isOver`. */
  const step = async (isOver: () => Promise<boolean>) => {
    for (let stops = 0; stops < FARTHEST && !(await isOver()); stops++) {
      await page.keyboard.press("Tab");
      const name = await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 120));
      expect([name, await cover(page)]).toEqual([name, undefined]);
    }
    expect(await isOver()).toBe(true);
  };
  await openWhole(page, (await anyProperty()).path);
  await step(() => page.evaluate(() => !!document.activeElement?.closest("body > footer")));
  await openWhole(page, "/property-for-sale");
  await page.getByRole("button", { name: "Filters" }).press("Enter");
  const panel = page.locator("#filters");
  await panel.waitFor();
  // The panel closes behind who steps on.
  await step(() => panel.isHidden());
});

test("who follows a link at a page's foot by keys goes on from the beginning of the next page", {
  tags: "every-browser",
}, async () => {
  const page = await visitor();
  const content = page.locator("#content");
  await openWhole(page, "/");
  const foot = await hydrated(page.getByRole("contentinfo"));
  await foot.getByRole("link", { name: "Nerja", exact: true }).press("Enter");
  await page.waitForURL("**/property-for-sale/nerja");
  await hasInTheEnd(content);
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

  // A card that goes with its page, and a place among the links below a list.
  await openWhole(page, (await anyProperty()).path);
  const similar = await hydrated(page.locator("main section article").last());
  await similar.getByRole("heading").getByRole("link").press("Enter");
  await hasInTheEnd(content);
  await openWhole(page, "/property-for-sale/nerja?propertyType=House");
  const all = await hydrated(page.locator('main a.place-link[href="/property-for-sale/nerja"]'));
  await all.press("Enter");
  await page.waitForURL("**/property-for-sale/nerja");
  await hasInTheEnd(content);
});
