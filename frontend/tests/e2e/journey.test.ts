import { expect, test } from "vitest";
import { ABROAD, anyProperty, hydrated, listed, open, openWhole, visitor } from "./site.ts";

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

test("a step back puts the focus on the opened card", {
  tags: "every-browser",
}, async () => {
  const page = await visitor();
  await open(page, "/property-for-sale");
  const card = page.getByRole("article").nth(4).getByRole("link");
  const title = await card.textContent();
  await hydrated(card);
  await card.focus();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: title ?? "", exact: true }).waitFor();
  await page.goBack();
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe(title);
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
