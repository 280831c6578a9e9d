import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import {
  ABROAD,
  anyProperty,
  expectFaults,
  hydrated,
  listed,
  open,
  openWhole,
  visitor,
} from "./site.ts";

/** What may differ between browsers, and no other journey checks in each. */
describe("in every browser", { tags: "every-browser" }, () => {
  test("the pages hydrate without a mismatch, in both languages, here and abroad", async () => {
    const { path } = await anyProperty();
    for (const address of ["/", "/es", "/property-for-sale", path, `/es${path}`, "/contact-us"]) {
      const page = await visitor(address.startsWith("/es") ? ABROAD : {});
      await openWhole(page, address);
    }
  });

  test("a page whose scripts are still loading can be left", async () => {
    const page = await visitor();
    for (let steps = 0; steps < 5; steps++) {
      await page.goto("/");
      await page.goto("/es");
    }
    expect(new URL(page.url()).pathname).toBe("/es");
  });

  test("the chosen colours stay on the next page", async () => {
    const page = await visitor();
    await open(page, "/");
    const footer = page.getByRole("contentinfo");
    await footer.getByRole("button", { name: "Dark" }).click();
    await open(page, "/property-for-sale");
    expect(await page.locator("html").getAttribute("data-theme")).toBe("dark");
    await footer.getByRole("button", { name: "Dark", pressed: true }).waitFor();
  });

  test("the next page of a list, and a step back with what was chosen", async () => {
    const page = await visitor();
    await open(page, "/property-for-sale?sort=price-asc");
    const first = page.getByRole("article").first().getByRole("heading");
    const title = await first.textContent();
    const next = await hydrated(page.locator("a[rel=next]"));
    await next.click();
    await page.waitForURL("**?page=2&sort=price-asc");
    await expect.poll(() => first.textContent()).not.toBe(title);
    await page.goBack();
    await page.waitForURL("**?sort=price-asc");
    await expect.poll(() => first.textContent()).toBe(title);
  });

  test("a pin of the map opens a card that leads to its home, or without WebGL the map says so", async () => {
    const page = await visitor();
    await open(page, "/property-for-sale?view=map");
    const map = page.getByRole("group", { name: "Map of the properties" });
    const hasWebGl = await page.evaluate(
      () => document.createElement("canvas").getContext("webgl2") !== null,
    );
    if (!hasWebGl) {
      await map.getByRole("status").getByText("can’t show the interactive map").waitFor();
      return;
    }
    await map.getByRole("button", { name: "Zoom in", exact: true }).waitFor();
    const pins = map.getByRole("list", { name: "Properties on the map" }).getByRole("link");
    await pins.first().click();
    await map.getByRole("dialog").getByRole("link").click();
    await page.waitForURL(/\/AH-/);
    await page.getByRole("heading", { level: 1 }).waitFor();
  });

  test("content far down the page is found by its words and by its anchor", async () => {
    const { path } = await anyProperty();
    const page = await visitor();
    await open(page, `${path}#description`);
    await expect.poll(() => near(page, "#description")).toBe(true);
    await open(page, "/");
    const words = await page.locator("footer").getByText("©").first().textContent();
    const found = await page.evaluate(
      (text) => (window as unknown as { find(text: string): boolean }).find(text),
      (words ?? "").trim().slice(0, 20),
    );
    expect([words, found]).toEqual([words, true]);
  });

  test("a text fragment in the address scrolls into view, on a phone too", async () => {
    const { path } = await anyProperty();
    const page = await visitor({ viewport: { width: 390, height: 844 } });
    await open(page, path);
    const last = page.getByRole("main").getByRole("heading", { level: 2 }).last();
    const words = (await last.innerText()).trim();
    expect(await page.evaluate(() => scrollY)).toBe(0);
    await open(await page.context().newPage(), `${path}#:~:text=${encodeURIComponent(words)}`);
    const [, other] = page.context().pages();
    await expect.poll(() => other?.evaluate(() => scrollY)).toBeGreaterThan(844);
    const heading = other?.getByRole("main").getByRole("heading", { name: words });
    const isInSight = async () => {
      const top = (await heading?.boundingBox())?.y ?? -1;
      return top >= 0 && top < 844;
    };
    await expect.poll(isInSight).toBe(true);
  });

  test("without its scripts a list and a home can be read", async () => {
    const [home] = await listed("");
    const page = await visitor();
    await page.route("**/*.js", (route) => route.abort());
    await page.goto("/property-for-sale", { waitUntil: "domcontentloaded" });
    const link = page.getByRole("article").first().getByRole("link").first();
    await link.click();
    await page.waitForURL(/\/AH-/, { waitUntil: "domcontentloaded" });
    const heading = page.getByRole("heading", { level: 1 });
    expect(await heading.textContent()).toBe(home?.title);
    expect(await page.locator("#description + .prose").isVisible()).toBe(true);
    expectFaults(/\.js\b/, 0);
  });
});

/** Whether the top of an anchor's target is within the window. */
const near = (page: Page, selector: string) =>
  page.locator(selector).evaluate((element) => {
    const { top } = element.getBoundingClientRect();
    return top >= 0 && top < innerHeight;
  });
