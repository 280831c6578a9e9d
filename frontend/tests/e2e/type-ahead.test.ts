import type { Locator, Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import type { Suggestions } from "#app/features/search/type-ahead/suggestions.ts";
import { axeFaults } from "./axe.ts";
import { anyProperty, ask, hasFocus, open, READABLE, visitor } from "./site.ts";

const list = (page: Page) => page.getByRole("listbox");
const options = (page: Page) => list(page).getByRole("option");
const option = (page: Page, name: RegExp) => list(page).getByRole("option", { name });

/** Returns the search field once it is hydrated. */
async function field(page: Page, name = "Where or what"): Promise<Locator> {
  const input = page.getByLabel(name);
  await input.focus();
  await page.locator("input[name=q][role=combobox]").waitFor();
  return input;
}

/** Returns the text of the active option. */
async function active(input: Locator): Promise<string | null> {
  return input.evaluate((element) => {
    const id = element.getAttribute("aria-activedescendant");
    const chosen = id === null ? null : document.getElementById(id);
    return chosen?.getAttribute("aria-selected") === "true" ? chosen.textContent : null;
  });
}

describe.each(["en", "es"] as const)("what is typed is completed, in %s", (locale) => {
  const words = {
    en: { home: "", field: "Where or what", place: /^Nerja\b/, found: /\d+ suggestions?\./ },
    es: { home: "/es", field: "Dónde o qué", place: /^Nerja\b/, found: /\d+ sugerencias?\./ },
  }[locale];

  test("by the keyboard alone, and axe finds nothing wrong with the open list", async () => {
    const page = await visitor();
    await open(page, words.home || "/");
    const input = await field(page, words.field);
    // In one go, so that a slow machine gets no answer for fewer letters.
    await page.keyboard.insertText("ner");
    await option(page, words.place).first().waitFor();
    expect(await input.getAttribute("aria-expanded")).toBe("true");
    await page.getByRole("status").filter({ hasText: words.found }).waitFor({ state: "attached" });
    expect(await active(input)).toBeNull();

    await page.keyboard.press("ArrowDown");
    expect(await active(input)).toContain("Nerja");
    expect(await axeFaults(page, { within: "search" })).toEqual([]);

    // Wraps around the end of the list, through the text, and back.
    await page.keyboard.press("ArrowUp");
    expect(await active(input)).toBeNull();
    await page.keyboard.press("ArrowUp");
    expect(await active(input)).toBe(await options(page).last().textContent());
    // Text keys return to the text and work there.
    await page.keyboard.press("Home");
    expect(await active(input)).toBeNull();
    expect(await input.evaluate((element) => (element as HTMLInputElement).selectionStart)).toBe(0);

    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.waitForURL(`**${words.home}/property-for-sale/nerja`);
  });
});

test("the type-ahead's script loads when the field is first focused, and not before", async () => {
  const page = await visitor();
  const scripts: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("type-ahead")) scripts.push(request.url());
  });
  await open(page, "/");
  expect(scripts).toEqual([]);
  await field(page);
  expect(scripts.length).toBeGreaterThan(0);
});

test("text typed while the script is loading stays, and gets suggestions", async () => {
  const page = await visitor();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route("**/assets/type-ahead*", async (route) => {
    await released;
    await route.continue();
  });
  await open(page, "/");
  const input = page.getByLabel("Where or what");
  const element = await input.elementHandle();
  await input.focus();
  await page.keyboard.type("ner");
  release();
  await option(page, /^Nerja\b/)
    .first()
    .waitFor();
  expect(
    await element?.evaluate((each) => [each === document.activeElement, each.getAttribute("role")]),
  ).toEqual([true, "combobox"]);
  expect(await input.inputValue()).toBe("ner");
});

test("Escape closes the list, then clears the text; Tab and a click elsewhere close it", {
  tags: "every-browser",
}, async () => {
  const page = await visitor();
  await open(page, "/");
  const input = await field(page);
  await page.keyboard.type("ner");
  await options(page).first().waitFor();
  await page.keyboard.press("Escape");
  await list(page).waitFor({ state: "detached" });
  expect(await input.inputValue()).toBe("ner");
  expect(await hasFocus(input)).toBe(true);

  await page.keyboard.press("Alt+ArrowDown");
  await options(page).first().waitFor();
  expect(await active(input)).toBeNull();
  await page.keyboard.press("Tab");
  await list(page).waitFor({ state: "detached" });

  await input.click();
  await options(page).first().waitFor();
  await page.getByRole("heading", { level: 1 }).click();
  await list(page).waitFor({ state: "detached" });

  await input.focus();
  await page.keyboard.press("Escape");
  expect(await input.inputValue()).toBe("");
});

test("a click chooses, and what was chosen before stays chosen", {
  tags: "every-browser",
}, async () => {
  const page = await visitor();
  await open(page, "/property-for-sale?maxPrice=400000");
  await field(page);
  await page.keyboard.type("nerj");
  await option(page, /^Nerja\b/)
    .first()
    .click();
  await page.waitForURL("**/property-for-sale/nerja?maxPrice=400000");
  // The address changes shortly before the list.
  await expect.poll(() => page.getByLabel("Where or what").inputValue()).toBe("");
});

test("a reference suggests its home", async () => {
  const { ref, path } = await anyProperty();
  const page = await visitor();
  await open(page, "/");
  await field(page);
  await page.keyboard.type(ref);
  const home = option(page, new RegExp(`^${ref}`)).first();
  // Its price and picture identify it; alternative text would only repeat the title.
  await home.locator("img[alt='']").waitFor();
  expect(await home.textContent()).toMatch(/€|Reference/);
  await home.click();
  await page.waitForURL(`**${path}`);
});

test("of places that match equally, the most searched one is suggested first", async () => {
  const page = await visitor();
  const sought = "/property-for-sale/torre-del-mar";
  const headers = { "sec-fetch-dest": "document" };
  // The count takes a moment to arrive, and other tests visit other places meanwhile. The page is requested
  // as a browser would, without rendering it each time.
  const suggestedFirst = async () => {
    await page.context().request.get(sought, { headers });
    const { items } = (await (await ask("/api/suggest?q=torr")).json()) as Suggestions;
    return items.find(({ kind }) => kind === "location")?.url;
  };
  await expect.poll(suggestedFirst, { timeout: 150_000, interval: 1_000 }).toBe(sought);

  await open(page, "/");
  await field(page);
  // In one go, since fewer letters suggest other places.
  await page.keyboard.insertText("torr");
  await option(page, /^Torrox\b/)
    .first()
    .waitFor();
  expect(await options(page).first().textContent()).toMatch(/^Torre del Mar/);
});

test("a garage is no home", async () => {
  const page = await visitor();
  await open(page, "/");
  await field(page);
  await page.keyboard.type("garag");
  await option(page, /^Garages ?\d+ propert(y|ies)$/).waitFor();
});

test("Enter without a choice searches for the words", async () => {
  const page = await visitor();
  await open(page, "/");
  await field(page);
  await page.keyboard.type("pool");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/property-for-sale?q=pool");
});

test.each([
  ["/", "Where or what", "No suggestions. Press Enter to search."],
  ["/es", "Dónde o qué", "Sin sugerencias. Pulse Intro para buscar."],
])("a message is shown if there are no suggestions, on %s", async (path, name, none) => {
  const page = await visitor();
  await open(page, path);
  const input = await field(page, name);
  await page.keyboard.type("xqzwj");
  const told = page.getByRole("search").getByRole("status").filter({ hasText: none });
  const height = async () => (await told.boundingBox())?.height ?? 0;
  await expect.poll(height).toBeGreaterThan(20);
  expect(await input.getAttribute("aria-expanded")).toBe("false");
  expect(await axeFaults(page, { within: "search" })).toEqual([]);
  // It closes like the list, and the text stays.
  await page.keyboard.press("Escape");
  await told.waitFor({ state: "detached" });
  expect(await input.inputValue()).toBe("xqzwj");
});

test("the API is queried after a pause in the typing, and an outdated request is cancelled", async () => {
  const page = await visitor();
  const asked: string[] = [];
  page.on("request", (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname === "/api/suggest") asked.push(searchParams.get("q") ?? "");
  });
  const ended = page.waitForEvent("requestfailed", (request) =>
    request.url().includes("/api/suggest"),
  );
  // The first answer never arrives.
  await page.route("**/api/suggest*q=tor", () => undefined);
  await open(page, "/");
  await field(page);
  // In one go, so that a slow machine makes no pause between the letters.
  const first = page.waitForRequest("**/api/suggest*q=tor");
  await page.keyboard.insertText("tor");
  await first;
  await page.keyboard.insertText("rox");
  await option(page, /^Torrox\b/)
    .first()
    .waitFor();
  expect(new URL((await ended).url()).searchParams.get("q")).toBe("tor");
  expect(asked).toEqual(["tor", "torrox"]);
});

test("a pause in the typing is 200 ms", async () => {
  const page = await visitor();
  const asked: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/api/suggest")) asked.push(request.url());
  });
  await page.clock.install();
  await open(page, "/");
  await field(page);
  await page.clock.pauseAt(Date.now() + 60_000);
  await page.keyboard.insertText("torrox");
  await page.clock.runFor(190);
  expect(asked).toEqual([]);
  const request = page.waitForRequest("**/api/suggest*q=torrox");
  await page.clock.runFor(20);
  await request;
});

test("recent searches are offered, on this device only, and can be removed", async () => {
  const page = await visitor();
  for (const words of ["pool", "garden", "lift"]) {
    await open(page, "/");
    const input = await field(page);
    await input.fill(words);
    await page.keyboard.press("Enter");
    await page.waitForURL(`**?q=${words}`);
  }
  await open(page, "/");
  const input = await field(page);
  await page.getByRole("listbox", { name: "Recent searches" }).waitFor();
  expect(await options(page).allTextContents()).toEqual(["lift", "garden", "pool"]);
  expect(await axeFaults(page, { within: "search" })).toEqual([]);

  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Delete");
  await expect.poll(() => options(page).allTextContents()).toEqual(["garden", "pool"]);
  expect(await active(input)).toBe("garden");
  await page.locator("button[title='Remove: pool']").click();
  await expect.poll(() => options(page).allTextContents()).toEqual(["garden"]);
  expect(await hasFocus(input)).toBe(true);

  // In the other language it is the same search, in the list of that language.
  await open(page, "/es");
  await field(page, "Dónde o qué");
  await option(page, /^garden$/).click();
  await page.waitForURL("**/es/property-for-sale?q=garden");

  await open(page, "/");
  await field(page);
  await options(page).first().waitFor();
  await page.keyboard.press("Tab");
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(
    "Forget recent searches",
  );
  await page.keyboard.press("Enter");
  await list(page).waitFor({ state: "detached" });
  expect(await page.evaluate(() => localStorage.getItem("recent-searches"))).toBeNull();
});

test.each([
  ["in the column", { width: 1440, height: 900 }],
  ["in a telephone's panel", { width: 390, height: 844 }],
])("a recent search replaces typed words permanently, %s", async (_, viewport) => {
  const page = await visitor({ viewport });
  await open(page, "/");
  const recent = await field(page);
  await recent.fill("marble floors");
  await page.keyboard.press("Enter");
  await page.waitForURL("**?q=marble+floors");
  await open(page, "/property-for-sale?q=penthouse+marble");
  if (viewport.width < 1024) await page.getByRole("button", { name: "Filters" }).click();
  const input = await field(page);
  await input.fill("");
  await option(page, /^marble floors$/).click();
  await page.waitForURL("**?q=marble+floors");
  await expect.poll(() => input.inputValue()).toBe("marble floors");
  await page.getByRole("heading", { level: 1 }).click();
  // By now a search for other words would have started.
  await page.waitForTimeout(500);
  expect(new URL(page.url()).searchParams.get("q")).toBe("marble floors");
});

test("on a phone the list is below its field, visible, with targets large enough to tap", async () => {
  const page = await visitor({ viewport: { width: 390, height: 500 }, hasTouch: true });
  await open(page, "/");
  const input = page.getByLabel("Where or what");
  await input.tap();
  await page.locator("input[name=q][role=combobox]").waitFor();
  await page.keyboard.type("ner");
  const first = options(page).first();
  await first.waitFor();
  // It is resized shortly after its options appear.
  const foot = async () => {
    const box = await list(page).locator("..").boundingBox();
    return (box?.y ?? 0) + (box?.height ?? 999);
  };
  await expect.poll(foot).toBeLessThanOrEqual(500);
  expect((await first.boundingBox())?.height).toBeGreaterThanOrEqual(44);
  await first.tap();
  await page.waitForURL("**/property-for-sale/nerja");
});

test("without a script the field is sent like any other", async () => {
  const page = await visitor({ javaScriptEnabled: false });
  await page.goto("/", READABLE);
  await page.getByLabel("Where or what").fill("pool");
  await page.getByRole("button", { name: "Search" }).click();
  await page.waitForURL("**/property-for-sale?q=pool", READABLE);
});
