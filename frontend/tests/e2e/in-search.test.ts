import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { axeFaults } from "./axe.ts";
import { ask, listed, open, painted, visitor } from "./site.ts";

const SEARCH = "propertyType=House&sort=price-asc";

/** The way within the search, where the page has one. */
const way = (page: Page, name = "Properties in your search") =>
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
  await way(page).getByText(`2 of ${total}`, { exact: true }).waitFor();

  // A real link to a real page.
  const next = way(page).getByRole("link", { name: `Next property: ${third}` });
  const { ref = "", location } = homes[2] ?? {};
  expect(await next.getAttribute("href")).toBe(`/property-for-sale/${location?.slug}/${ref}`);
  expect(await axeFaults(page, { within: "nav" })).toEqual([]);

  // The keyboard stays on the link from home to home.
  await next.focus();
  await page.keyboard.press("Enter");
  await heading(page, third).waitFor();
  await way(page).getByText(`3 of ${total}`, { exact: true }).waitFor();
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute("aria-label"));
  await expect.poll(focused).toBe(`Next property: ${homes[3]?.title}`);

  await way(page)
    .getByRole("link", { name: `Previous property: ${second}` })
    .click();
  await heading(page, second).waitFor();
  await way(page).getByText(`2 of ${total}`, { exact: true }).waitFor();

  await way(page).getByRole("link", { name: "Back to the list" }).click();
  await page.waitForURL(`**/property-for-sale?${SEARCH}`);
  // The very step that it was left by, so that a page back leads out of it.
  expect(await page.evaluate(() => history.state.idx)).toBe(0);
});

test("the first home of a search has none before it", async () => {
  const page = await visitor();
  await open(page, `/es/property-for-sale?${SEARCH}`);
  await page.getByRole("article").first().getByRole("link").click();
  const here = way(page, "Inmuebles de su búsqueda");
  await here.getByText(/^1 de \d+$/).waitFor();
  const previous = here.getByRole("link", { name: "Inmueble anterior", exact: true });
  expect(await previous.getAttribute("aria-disabled")).toBe("true");
});

test("the way survives a reload without moving the page, and is not there without a search", async () => {
  const page = await visitor();
  await open(page, `/property-for-sale?${SEARCH}`);
  await page.getByRole("article").nth(1).getByRole("link").click();
  await way(page).getByText(/^2 of/).waitFor();
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
    await way(page).getByText(/^2 of/).waitFor();
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
  // Asked for as the page comes to life, which a slow machine may notice only afterwards.
  const following = other.waitForRequest("**/api/changes*");
  await open(other, new URL(address).pathname);
  await following;
  expect(await way(other).count()).toBe(0);
  expect(asked).toEqual([]);
});

test("the same home in the other language is still one of the search", async () => {
  const page = await visitor();
  await open(page, `/property-for-sale?${SEARCH}`);
  await page.getByRole("article").nth(1).getByRole("link").click();
  const place = await way(page)
    .getByText(/^2 of \d+$/)
    .textContent();
  await page.getByRole("contentinfo").getByRole("link", { name: "Español" }).click();
  await page.waitForURL("**/es/property-for-sale/**");
  const here = way(page, "Inmuebles de su búsqueda");
  await here.getByText(place?.replace("of", "de") ?? "", { exact: true }).waitFor();
  await here.getByRole("link", { name: "Volver a la lista" }).click();
  await page.waitForURL(`**/es/property-for-sale?${SEARCH}`);
});

/** The place in `homes` of the first that has several images. */
async function withImages(homes: readonly { ref: string }[]): Promise<number> {
  for (const [at, { ref }] of homes.entries()) {
    const { images } = (await (await ask(`/api/properties/${ref}`)).json()) as {
      images: unknown[];
    };
    if (images.length > 2) return at;
  }
  throw new Error("no home of the search has several images");
}

test("the next home begins anew: its first picture, and a price that has not changed", async () => {
  const page = await visitor({ viewport: { width: 390, height: 844 } });
  // One with images to go through.
  const at = await withImages(await listed(`&${SEARCH}`));
  await open(page, `/property-for-sale?${SEARCH}`);
  await page.getByRole("article").nth(at).getByRole("link").click();
  await way(page)
    .getByText(new RegExp(`^${at + 1} of \\d+$`))
    .waitFor();
  const strip = page.getByRole("region", { name: "Images" }).locator("ul").first();
  const scrolled = () => strip.evaluate((list) => list.scrollLeft);
  await strip.evaluate((list) => list.scrollTo({ left: 500, behavior: "instant" }));
  await expect.poll(scrolled).toBeGreaterThan(100);
  await way(page)
    .getByRole("link", { name: /^Next property: / })
    .click();
  await way(page)
    .getByText(new RegExp(`^${at + 2} of \\d+$`))
    .waitFor();
  expect(await scrolled()).toBe(0);
  expect(await page.locator(".price-changed").count()).toBe(0);
});
