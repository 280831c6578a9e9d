import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { axeFaults } from "./axe.ts";
import { ask, listed, open, painted, visitor } from "./site.ts";

const SEARCH = "propertyType=House&sort=price-asc";

/** The navigation within the search results, if the page has it. */
const resultNav = (page: Page, name = "Properties in your search") =>
  page.getByRole("navigation", { name });

const heading = (page: Page, title: string) =>
  page.getByRole("heading", { level: 1, name: title, exact: true });

test("a home found in a list leads to its neighbours, and back to the list", async () => {
  const homes = await listed(`&${SEARCH}`);
  const [, second, third] = homes.map(({ title }) => title) as [string, string, string];
  const page = await visitor();
  await open(page, `/property-for-sale?${SEARCH}`);
  const total = Number.parseInt((await page.getByText(/^\d+ homes$/).textContent()) ?? "", 10);
  await page.getByRole("article").nth(1).getByRole("link").click();
  await heading(page, second).waitFor();
  await resultNav(page).getByText(`2 of ${total}`, { exact: true }).waitFor();

  // It is a real link.
  const next = resultNav(page).getByRole("link", { name: `Next property: ${third}` });
  const { ref = "", location } = homes[2] ?? {};
  expect(await next.getAttribute("href")).toBe(`/property-for-sale/${location?.slug}/${ref}`);
  expect(await axeFaults(page, { within: "nav" })).toEqual([]);

  // The focus stays on the link from home to home.
  await next.focus();
  await page.keyboard.press("Enter");
  await heading(page, third).waitFor();
  await resultNav(page).getByText(`3 of ${total}`, { exact: true }).waitFor();
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute("aria-label"));
  await expect.poll(focused).toBe(`Next property: ${homes[3]?.title}`);

  await resultNav(page)
    .getByRole("link", { name: `Previous property: ${second}` })
    .click();
  await heading(page, second).waitFor();
  await resultNav(page).getByText(`2 of ${total}`, { exact: true }).waitFor();

  // The link goes back in the history instead of adding to it, so that a step back leaves the list.
  const entries = await page.evaluate(() => history.length);
  await resultNav(page).getByRole("link", { name: "Back to the list" }).click();
  await page.waitForURL(`**/property-for-sale?${SEARCH}`);
  expect(await page.evaluate(() => history.length)).toBe(entries);
  await page.goForward();
  await heading(page, second).waitFor();
});

test("the first home of a search has none before it", async () => {
  const page = await visitor();
  await open(page, `/es/property-for-sale?${SEARCH}`);
  await page.getByRole("article").first().getByRole("link").click();
  const here = resultNav(page, "Inmuebles de su búsqueda");
  await here.getByText(/^1 de \d+$/).waitFor();
  const previous = here.getByRole("link", { name: "Inmueble anterior", exact: true });
  expect(await previous.getAttribute("aria-disabled")).toBe("true");
  expect(await previous.getAttribute("href")).toBeNull();
});

test("the navigation survives a reload without layout shift, and is absent without a search", async () => {
  const page = await visitor();
  await open(page, `/property-for-sale?${SEARCH}`);
  await page.getByRole("article").nth(1).getByRole("link").click();
  await resultNav(page).getByText(/^2 of/).waitFor();
  await page.addInitScript(() => {
    Object.assign(window, { moved: 0 });
    new PerformanceObserver((entries) => {
      for (const entry of entries.getEntries()) {
        Object.assign(window, {
          moved: Reflect.get(window, "moved") + Reflect.get(entry, "value"),
        });
      }
    }).observe({ type: "layout-shift", buffered: true });
  });
  for (const width of [1280, 1024, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await page.reload();
    await resultNav(page).getByText(/^2 of/).waitFor();
    await painted(page);
    const moved = await page.evaluate(() => Reflect.get(window, "moved"));
    expect(moved, `at ${width}`).toBeLessThan(0.01);
  }

  const address = page.url();
  const other = await visitor();
  const asked: string[] = [];
  other.on("request", (request) => {
    if (request.url().includes("/api/properties?")) asked.push(request.url());
  });
  // Requested during hydration, which a slow machine may notice only afterwards.
  const following = other.waitForRequest("**/api/changes*");
  await open(other, new URL(address).pathname);
  await following;
  expect(await resultNav(other).count()).toBe(0);
  expect(asked).toEqual([]);
});

test("the same home in the other language is still part of the search", async () => {
  const page = await visitor();
  await open(page, `/property-for-sale?${SEARCH}`);
  await page.getByRole("article").nth(1).getByRole("link").click();
  const place = await resultNav(page)
    .getByText(/^2 of \d+$/)
    .textContent();
  await page.getByRole("contentinfo").getByRole("link", { name: "Español" }).click();
  await page.waitForURL("**/es/property-for-sale/**");
  const here = resultNav(page, "Inmuebles de su búsqueda");
  await here.getByText(place?.replace("of", "de") ?? "", { exact: true }).waitFor();
  await here.getByRole("link", { name: /^Inmueble siguiente: / }).click();
  await here.getByText(/^3 de/).waitFor();
  // The steps back from here lead to pages of the other language.
  await here.getByRole("link", { name: "Volver a la lista" }).click();
  await page.waitForURL(`**/es/property-for-sale?${SEARCH}`);
});

/** Returns the index in `homes` of the first that has several images. */
async function withImages(homes: readonly { ref: string }[]): Promise<number> {
  for (const [at, { ref }] of homes.entries()) {
    const { images } = (await (await ask(`/api/properties/${ref}`)).json()) as {
      images: unknown[];
    };
    if (images.length > 2) return at;
  }
  throw new Error("no home of the search has several images");
}

test("the next home starts fresh: its first picture, and no price change", async () => {
  const page = await visitor({ viewport: { width: 390, height: 844 } });
  // A home with several images.
  const at = await withImages(await listed(`&${SEARCH}`));
  await open(page, `/property-for-sale?${SEARCH}`);
  await page.getByRole("article").nth(at).getByRole("link").click();
  await resultNav(page)
    .getByText(new RegExp(`^${at + 1} of \\d+$`))
    .waitFor();
  const strip = page.getByRole("region", { name: "Images" }).locator("ul").first();
  const scrolled = () => strip.evaluate((list) => list.scrollLeft);
  await strip.evaluate((list) => list.scrollTo({ left: 500, behavior: "instant" }));
  await expect.poll(scrolled).toBeGreaterThan(100);
  await resultNav(page)
    .getByRole("link", { name: /^Next property: / })
    .click();
  await resultNav(page)
    .getByText(new RegExp(`^${at + 2} of \\d+$`))
    .waitFor();
  expect(await scrolled()).toBe(0);
  expect(await page.locator(".price-changed").count()).toBe(0);
});
