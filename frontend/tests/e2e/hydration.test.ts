import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import {
  alive,
  anyProperty,
  changedByOthers,
  listed,
  openWhole,
  visitor,
  withoutPhotographs,
} from "./site.ts";

const SCREENS = { phone: { width: 390, height: 844 }, desk: { width: 1280, height: 900 } };

/** What Lighthouse takes for a phone's: 150 ms, 1.6 Mbit/s. */
const SLOW_LINE = {
  offline: false,
  latency: 150,
  downloadThroughput: (1.6 * 1024 * 1024) / 8,
  uploadThroughput: (750 * 1024) / 8,
};

/** What others do to a document before or while React takes it over. */
const CHANGES = {
  "a translator wraps every text": () => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT, (text) =>
      text.parentElement?.closest("script, style, svg, select, textarea")
        ? NodeFilter.FILTER_REJECT
        : NodeFilter.FILTER_ACCEPT,
    );
    const all: Node[] = [];
    while (texts.nextNode()) all.push(texts.currentNode);
    for (const text of all) {
      if (!text.nodeValue?.trim()) continue;
      const font = document.createElement("font");
      text.parentNode?.replaceChild(font, text);
      font.append(text);
    }
  },
  "a word of the header is another": () => {
    const link = document.querySelector("header nav a, header button");
    if (link) link.textContent = "Another";
  },
  "a password manager puts its button beside a field": () => {
    for (const field of document.querySelectorAll("input")) {
      field.insertAdjacentElement("afterend", document.createElement("button"));
    }
  },
} as const;

/**
 * Every word that can be read, in order, whatever stands between; what an extension adds has none.
 * The number on the filters' button comes with the script, which keeps it right; so do what the
 * visitor made of a home and the way to its window sheet.
 */
const words = (page: Page) =>
  page.evaluate(() => {
    const main = document.querySelector("main")?.cloneNode(true) as HTMLElement;
    const others = "script, style, noscript, .panel-foot, .page-tool, .card-seen, [href$='.pdf']";
    for (const other of main.querySelectorAll(others)) other.remove();
    return main.textContent?.replace(/\s+/g, "") ?? "";
  });

/** Keeps scripts back until they are released. */
async function holdScripts(page: Page, which = "**/*.js"): Promise<() => void> {
  const released = Promise.withResolvers<void>();
  await page.route(which, async (route) => {
    await released.promise;
    await route.continue();
  });
  return released.resolve;
}

/** A page of whoever has chosen dark colours. */
async function darkPage(viewport: { width: number; height: number }): Promise<Page> {
  const page = await visitor({ viewport });
  await page.addInitScript(() => {
    try {
      localStorage.setItem("theme", "dark");
    } catch {
      // The empty page that Firefox begins with has no storage.
    }
  });
  return page;
}

/** Every kind of page. */
async function addresses(language: string): Promise<string[]> {
  const { path } = await anyProperty();
  return language === "en"
    ? ["/", "/property-for-sale", path]
    : ["/es", "/es/property-for-sale", `/es${path}`];
}

/** Each screen, and each language: what differs by one does not differ by the other as well. */
const VISITS = [
  ["phone", "es", SCREENS.phone],
  ["desk", "en", SCREENS.desk],
] as const;

/** Nothing of what was there `before` is lost, and the chosen colours stay until others are chosen. */
async function nothingVanishes(page: Page, before: string): Promise<void> {
  // Also what hydrates last: the footer's choice of colours answers.
  const light = page.getByRole("contentinfo").getByRole("group").getByRole("button").first();
  await expect.poll(() => words(page)).toBe(before);
  expect(await page.locator("html").getAttribute("data-theme")).toBe("dark");
  const chosen = async () => {
    await light.click();
    return page.locator("html").getAttribute("data-theme");
  };
  await expect.poll(chosen).toBe("light");
  await expect.poll(() => words(page)).toBe(before);
}

describe.each(Object.keys(CHANGES) as (keyof typeof CHANGES)[])("%s", (name) => {
  const tags = name === "a translator wraps every text" ? ["every-browser"] : [];
  test.each(VISITS)("and nothing vanishes (%s, %s)", { tags }, async (_, language, viewport) => {
    for (const address of await addresses(language)) {
      const page = await darkPage(viewport);
      const release = await holdScripts(page);
      changedByOthers.add(page);
      await page.goto(address, { waitUntil: "domcontentloaded" });
      const before = await words(page);
      await page.evaluate(CHANGES[name]);
      await page.evaluate(() => document.querySelector("h1")?.setAttribute("data-first", ""));
      release();
      await alive(page);
      // What is wrong with the header is no reason to render the page anew.
      const first = await page.locator("h1[data-first]").count();
      if (name === "a word of the header is another") expect(first).toBe(1);
      await nothingVanishes(page, before);
    }
  });
});

test.each(VISITS)(
  "a translator wraps every text in the midst of hydration on a slow line (%s, %s)",
  async (_, language, viewport) => {
    for (const address of await addresses(language)) {
      const page = await darkPage(viewport);
      await withoutPhotographs(page);
      const devtools = await page.context().newCDPSession(page);
      await devtools.send("Network.emulateNetworkConditions", SLOW_LINE);
      changedByOthers.add(page);
      await page.goto(address, { waitUntil: "domcontentloaded" });
      const before = await words(page);
      // The moment at which it happened to a visitor; on another machine it is another one.
      await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 700)));
      await page.evaluate(CHANGES["a translator wraps every text"]);
      await alive(page);
      await nothingVanishes(page, before);
    }
  },
);

test("what was written before the script came counts", { tags: "every-browser" }, async () => {
  const page = await visitor();
  const release = await holdScripts(page);
  const answer = Promise.withResolvers<void>();
  await page.route("**/api/properties?*", async (route) => {
    await answer.promise;
    await route.continue();
  });
  await page.goto("/property-for-sale", { waitUntil: "domcontentloaded" });
  const least = page.locator("input[name=minPrice]");
  await least.pressSequentially("250000");
  // At each change of the page, for a moment is long enough for a digit to be lost.
  await least.evaluate((field: HTMLInputElement) => {
    new MutationObserver(() => {
      if (field.value !== "250000") console.error(`The field says "${field.value}".`);
    }).observe(document, { attributes: true, childList: true, subtree: true });
  });
  release();
  // It stays while the script takes the page over and asks for what it means.
  await page.locator("input[type=range]:enabled").first().waitFor();
  expect(await least.inputValue()).toBe("250000");
  answer.resolve();
  await page.waitForURL("**/property-for-sale?minPrice=250000");
  expect(await least.inputValue()).toBe("250000");
});

test("words that were left before the script came count, those that are being written wait", async () => {
  for (const leave of [true, false]) {
    const page = await visitor();
    const release = await holdScripts(page);
    await page.goto("/property-for-sale", { waitUntil: "domcontentloaded" });
    const filters = page.locator("#filters");
    const words = filters.getByLabel("Where or what");
    await words.pressSequentially("garden");
    if (leave) await filters.getByRole("checkbox", { name: "Houses" }).focus();
    release();
    if (!leave) {
      await page.locator("input[type=range]:enabled").first().waitFor();
      expect(new URL(page.url()).search).toBe("");
      expect(await words.inputValue()).toBe("garden");
      await words.blur();
    }
    await page.waitForURL((url) => url.search.includes("garden"));
  }
});

/**
 * How far what is seen has moved by itself at its worst, as the browser's makers reckon it (Cumulative Layout
 * Shift): moves less than a second apart count together, for five seconds at most.
 */
const moved = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let [first, last, sum, worst] = [0, 0, 0, 0];
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) {
            const { startTime, value } = entry as PerformanceEntry & { value: number };
            if (startTime - last > 1_000 || startTime - first > 5_000) {
              first = startTime;
              sum = 0;
            }
            last = startTime;
            sum += value;
            worst = Math.max(worst, sum);
          }
        }).observe({ type: "layout-shift", buffered: true });
        // What has been seen so far is told in the next frame.
        requestAnimationFrame(() => setTimeout(() => resolve(worst)));
      }),
  );

/** Whether the letters have come, and the pictures that are in sight. */
const allIsDrawn = () =>
  document.fonts.status === "loaded" &&
  [...document.images].every((image) => {
    const { top, left, bottom, right } = image.getBoundingClientRect();
    const isInSight = bottom > 0 && right > 0 && top < innerHeight && left < innerWidth;
    return image.complete || !isInSight || !image.checkVisibility();
  });

test.each(Object.entries(SCREENS))("nothing moves by itself (%s)", async (_, viewport) => {
  const { path } = await anyProperty();
  for (const address of ["/", "/property-for-sale", path]) {
    const page = await visitor({ viewport });
    await openWhole(page, address);
    await page.waitForFunction(allIsDrawn);
    // What the browser's makers call good; letters that come late on a slow machine move a little.
    expect(await moved(page)).toBeLessThan(0.1);
  }
});

test("what was ticked in filters that a translator has changed counts when their script comes", async () => {
  for (const address of ["/property-for-sale", "/es/property-for-sale"]) {
    const page = await visitor();
    const release = await holdScripts(page, "**/assets/filters-*.js");
    changedByOthers.add(page);
    await page.goto(address, { waitUntil: "domcontentloaded" });
    await alive(page);
    const pool = page.locator("input[name=features][value=pool]");
    await pool.check();
    await page.locator("input[name=maxPrice]").fill("900000");
    await page.evaluate(CHANGES["a translator wraps every text"]);
    release();
    await page.waitForURL(`**${address}?features=pool&maxPrice=900000`);
    expect(await pool.isChecked()).toBe(true);
  }
});

test("what was written, chosen and ticked counts on a page that a translator has changed before its script", async () => {
  const [home] = await listed("&status=for_sale&kind=apartment&minPrice=60000&maxPrice=250000");
  for (const language of ["", "/es"]) {
    const page = await visitor();
    const release = await holdScripts(page);
    changedByOthers.add(page);
    await page.goto(`${language}/property-for-sale/${home?.location.slug}/${home?.ref}`, {
      waitUntil: "domcontentloaded",
    });
    const name = page.locator("input[name=name]");
    const message = page.locator("textarea[name=message]");
    const agreed = page.locator("input[name=marketingConsent]");
    const rate = page.locator("select", { has: page.locator("option[value=itp_family]") });
    const prices = page.locator("input[inputmode=decimal]");
    await name.fill("Ana");
    await message.fill("Is there a lift in the house?");
    await agreed.check();
    await rate.selectOption("itp_family");
    await prices.first().fill("123000");
    await page.evaluate(CHANGES["a translator wraps every text"]);
    release();
    await alive(page);
    await expect.poll(() => name.inputValue()).toBe("Ana");
    await expect.poll(() => message.inputValue()).toBe("Is there a lift in the house?");
    await expect.poll(() => agreed.isChecked()).toBe(true);
    await expect.poll(() => rate.inputValue()).toBe("itp_family");
    // Whoever reckons with it knows it too.
    await expect.poll(() => prices.nth(1).inputValue()).toBe("123000");
  }
});

test("a page that is translated while it is read can be used, and be left", async () => {
  const page = await visitor();
  const change = () => page.evaluate(CHANGES["a translator wraps every text"]);
  await openWhole(page, "/property-for-sale");
  await change();
  await page.getByRole("checkbox", { name: "Pool", exact: false }).first().check();
  await page.waitForURL("**/property-for-sale?features=pool");
  const homes = page.getByRole("article");
  const found = (await listed("&features=pool")).map(({ ref }) => ref);
  const shown = () =>
    homes.evaluateAll((all) => all.map((home) => home.querySelector("a")?.href.split("/").at(-1)));
  // The homes of before stay until those that have one are drawn, and the first may be the same one.
  await expect.poll(shown).toEqual(found);
  await change();
  const title = await homes.first().getByRole("link").textContent();
  await homes.first().getByRole("link").click();
  await page.waitForURL(/AH-/);
  await expect.poll(() => page.getByRole("heading", { level: 1 }).textContent()).toBe(title);
  await change();
  await page.goBack();
  await expect.poll(() => homes.count()).toBeGreaterThan(1);
});

test("words that come and go on a translated list leave it whole", async () => {
  const page = await visitor();
  await openWhole(page, "/property-for-sale/nerja?propertyType=House");
  const opening = page.locator("main").getByText(/as it stands today/);
  await opening.waitFor();
  await page.evaluate(CHANGES["a translator wraps every text"]);
  const pool = page.getByRole("checkbox", { name: "Pool", exact: false }).first();
  await pool.check();
  await page.waitForURL((url) => url.searchParams.has("features"));
  await opening.waitFor({ state: "detached" });
  expect(await pool.isChecked()).toBe(true);
});

test("words that come and go on a translated map leave it whole", async () => {
  const page = await visitor();
  const change = () => page.evaluate(CHANGES["a translator wraps every text"]);
  await openWhole(page, "/property-for-sale?view=map");
  const map = page.getByRole("group", { name: "Map of the properties" });
  await map.getByRole("button", { name: "Zoom in", exact: true }).waitFor();
  const pins = map.getByRole("list", { name: "Properties on the map" }).getByRole("link");
  const card = map.getByRole("dialog");
  await pins.first().press("Enter");
  await card.getByRole("img").waitFor();
  await change();
  const heart = card.getByRole("button", { name: /^Favourite: / });
  for (const pressed of ["true", "false"]) {
    await heart.click();
    await expect.poll(() => heart.getAttribute("aria-pressed")).toBe(pressed);
    const marked = pins.filter({ hasText: "one of your favourites" });
    await expect.poll(() => marked.count()).toBe(pressed === "true" ? 1 : 0);
    await change();
  }
  const title = (await card.getAttribute("aria-label")) ?? "";
  await pins.filter({ hasNotText: title }).first().press("Enter");
  await expect.poll(() => card.getAttribute("aria-label")).not.toBe(title);
  await card.getByRole("img").waitFor();
});

test("words that come and go on a translated home leave it whole", async () => {
  const page = await visitor();
  const change = () => page.evaluate(CHANGES["a translator wraps every text"]);
  const open = async (query: string) => {
    const [{ ref = "", location } = {}] = await listed(`&status=for_sale${query}`);
    await openWhole(page, `/property-for-sale/${location?.slug}/${ref}`);
  };
  await open("");
  const units = page.getByRole("checkbox", { name: "Also in pounds and square feet" });
  const rate = page.locator(".units-rate").getByText("to the euro");
  await units.check();
  await rate.waitFor();
  await change();
  await units.uncheck();
  await rate.waitFor({ state: "detached" });
  await open("&kind=garage");
  const tax = page.locator("select", { has: page.locator("option[value=resale]") });
  await tax.scrollIntoViewIfNeeded();
  await change();
  await tax.selectOption("new");
  const caution = page.locator("section:has(> form option[value=resale]) > p").first();
  await expect.poll(() => caution.textContent()).not.toContain("cadastral reference value");
  expect(await tax.inputValue()).toBe("new");
});

test("what was written of a home before the script came stays, and both sums know it", {
  tags: "every-browser",
}, async () => {
  // Cheap enough that its buyer may have a right to a lower rate.
  const [home] = await listed("&status=for_sale&kind=apartment&minPrice=60000&maxPrice=250000");
  const page = await visitor();
  const release = await holdScripts(page);
  await page.goto(`/property-for-sale/${home?.location.slug}/${home?.ref}`, {
    waitUntil: "domcontentloaded",
  });
  await page.getByLabel("Your name").pressSequentially("Ana");
  const rate = page.getByLabel("Rate of transfer tax (ITP)");
  await rate.selectOption("itp_family");
  release();
  await alive(page);
  expect(await page.getByLabel("Your name").inputValue()).toBe("Ana");
  expect(await rate.inputValue()).toBe("itp_family");
  const prices = page.getByLabel("Price (€)", { exact: true });
  await prices.first().fill("");
  await prices.first().pressSequentially("333000");
  await expect.poll(() => prices.last().inputValue()).toBe("333000");
});
