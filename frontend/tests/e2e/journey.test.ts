import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import {
  ABROAD,
  alive,
  anyProperty,
  comparedHome,
  hydrated,
  listed,
  open,
  openWhole,
  visitor,
} from "./site.ts";

const WORDS = {
  en: {
    home: "/",
    list: "/property-for-sale",
    all: "All homes for sale",
    houses: "Houses",
    homes: /^\d+ (homes|properties)$/,
    remove: /^Remove filter: Houses$/,
    sort: "Sort by",
    description: "About this home",
  },
  es: {
    home: "/es",
    list: "/es/property-for-sale",
    all: "Todas las viviendas en venta",
    houses: "Casas",
    homes: /^\d+ (viviendas|inmuebles)$/,
    remove: /^Quitar filtro: Casas$/,
    sort: "Ordenar por",
    description: "Sobre esta vivienda",
  },
} as const;

test.each(["en", "es"] as const)(
  "from home to a list to a home, in %s",
  { tags: "every-browser" },
  async (locale) => {
    const words = WORDS[locale];
    const page = await visitor(locale === "es" ? ABROAD : {});
    const documents: string[] = [];
    await open(page, words.home);
    page.on("request", (request) => {
      if (request.resourceType() === "document" || request.url().includes(".data")) {
        documents.push(request.url());
      }
    });

    const all = await hydrated(page.getByRole("link", { name: words.all }));
    await all.click();
    await page.waitForURL(`**${words.list}`);
    await page.getByText(words.homes).first().waitFor();

    await page.getByRole("checkbox", { name: words.houses }).check();
    await page.waitForURL("**?propertyType=House");
    await page.getByRole("link", { name: words.remove }).waitFor();
    expect(await page.evaluate(() => document.activeElement?.getAttribute("value"))).toBe("House");

    await page.getByLabel(words.sort).selectOption("price-asc");
    await page.waitForURL("**?propertyType=House&sort=price-asc");
    // The address changes shortly before the list.
    const [{ title } = { title: "" }] = await listed("&propertyType=House&sort=price-asc", locale);
    const card = page.getByRole("article").first();
    await card.getByRole("heading", { name: title }).waitFor();
    await card.getByRole("link").click();
    await page.getByRole("heading", { level: 1, name: title }).waitFor();
    await page.getByRole("heading", { name: words.description }).waitFor();
    expect(await page.title()).toContain(title);

    await page.goBack();
    await page.waitForURL("**?propertyType=House&sort=price-asc");
    await page.locator("input[value=House]:checked").waitFor();
    await page.getByRole("link", { name: words.remove }).click();
    await page.waitForURL("**?sort=price-asc");
    await page.locator("input[value=House]:not(:checked)").waitFor();

    // Every navigation was client-side, with requests only to the API.
    expect(documents).toEqual([]);
  },
);

test("the home page's search leads to the canonical address", async () => {
  const page = await visitor();
  await open(page, "/");
  await page.locator("input[name=q]").fill("  sea   view ");
  await page.locator("select[name=propertyType]").selectOption("Apartment");
  await page.getByRole("button", { name: "Search" }).click();
  await page.waitForURL("**/property-for-sale?propertyType=Apartment&q=sea+view");
});

test("hydration requests nothing from the API but the change stream", async () => {
  const { path } = await anyProperty();
  const page = await visitor();
  const asked: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/api/")) asked.push(new URL(request.url()).pathname);
  });
  for (const address of ["/", "/es/property-for-sale", path]) {
    await openWhole(page, address);
  }
  expect(new Set(asked)).toEqual(new Set(["/api/changes"]));
});

test("a step back restores the scroll position, on a phone too", {
  tags: "every-browser",
}, async () => {
  const { path } = await anyProperty();
  for (const address of ["/", "/property-for-sale", path]) {
    const page = await visitor({ viewport: { width: 390, height: 844 } });
    await open(page, address);
    const home = page.locator("main article").last().getByRole("link").first();
    await hydrated(home);
    const before = await home.boundingBox();
    await home.click();
    await page.waitForURL((url) => url.pathname !== address);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.goBack();
    await page.waitForURL((url) => url.pathname === address);
    const distance = async () => Math.abs(((await home.boundingBox())?.y ?? 0) - (before?.y ?? 0));
    await expect.poll(distance).toBeLessThan(2);
  }
});

/** Opens the home of a card with the Enter key, and returns its title. */
async function openByKey(page: Page, card: Locator): Promise<string> {
  const link = await hydrated(card.getByRole("link"));
  const title = (await link.textContent()) ?? "";
  await link.press("Enter");
  await page.getByRole("heading", { level: 1, name: title, exact: true }).waitFor();
  return title;
}

test("a step back puts the focus on the opened card", {
  tags: "every-browser",
}, async () => {
  const page = await visitor();
  await open(page, "/property-for-sale");
  const title = await openByKey(page, page.getByRole("article").nth(4));
  await page.goBack();
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe(title);
});

test("a step back finds the opened card after a look at a similar home, and after a reload", async () => {
  const page = await visitor();
  const focused = () => page.evaluate(() => document.activeElement?.textContent);
  await open(page, "/property-for-sale");
  const home = await openByKey(page, page.getByRole("article").nth(4));
  const similar = await openByKey(page, page.locator("#similar ~ ul > li").first());
  await page.goBack();
  await expect.poll(focused).toBe(similar);
  await page.reload({ waitUntil: "domcontentloaded" });
  await alive(page);
  await page.goBack();
  await expect.poll(focused).toBe(home);
});

test("a step back to a home lands where the visitor was, below the comparison of its price", async () => {
  const home = await comparedHome("&status=for_sale&propertyType=Apartment");
  if (!home) throw new Error("no flat is comparable with others");
  const page = await visitor({ viewport: { width: 390, height: 844 } });
  const compared = page.getByRole("region", { name: "How the price compares" });
  await openWhole(page, home.path);
  await compared.waitFor();
  const card = page.locator("#similar ~ ul > li").last();
  await hydrated(card.getByRole("link"));
  const before = await card.boundingBox();
  await openByKey(page, card);
  await page.goBack();
  await page.waitForURL(`**${home.path}`);
  const distance = async () => Math.abs(((await card.boundingBox())?.y ?? 0) - (before?.y ?? 0));
  await expect.poll(distance).toBeLessThan(2);
});

test("the skip link leaves the search that led to a home", async () => {
  const page = await visitor();
  await open(page, "/property-for-sale");
  await page.getByRole("article").first().getByRole("link").click();
  const way = page.getByRole("navigation", { name: "Properties in your search" });
  await way.waitFor();
  await page.getByRole("link", { name: "Skip to content" }).focus();
  await page.keyboard.press("Enter");
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("content");
  expect(await way.isVisible()).toBe(true);
});

test("on a phone the way to the form leaves the search that led to a home", async () => {
  const page = await visitor({ viewport: { width: 390, height: 844 } });
  await open(page, "/property-for-sale");
  await page.getByRole("article").first().getByRole("link").click();
  const way = page.getByRole("navigation", { name: "Properties in your search" });
  await way.waitFor();
  await page.getByRole("link", { name: "Enquire", exact: true }).click();
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("ask");
  const top = async () => (await page.getByRole("complementary").boundingBox())?.y ?? Number.NaN;
  await expect.poll(async () => (await top()) > 0 && (await top()) < 422).toBe(true);
  expect(await way.count()).toBe(1);
});
