import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { anyProperty, hydrated, open, visitor } from "./site.ts";
import { watchedSite } from "./watched-site.ts";

/** Waits until the worker controls the page and has stored the page at `path`. */
async function kept(page: Page, path: string): Promise<void> {
  const isKept = async (address: string) =>
    navigator.serviceWorker.controller?.state === "activated" &&
    (await caches.match(new URL(address, location.origin).href)) !== undefined;
  await expect.poll(() => page.evaluate(isKept, path)).toBe(true);
}

const NOTE = ".offline-note";

test("visited pages can be read offline, and say when they were stored", async () => {
  const { path, ref } = await anyProperty();
  const page = await visitor({ serviceWorkers: "allow" });
  await open(page, path);
  await kept(page, path);
  // Client-side navigation loads no document, but the page is stored all the same.
  await page.getByRole("contentinfo").getByRole("link", { name: "Privacy" }).first().click();
  await page.waitForURL("**/privacy");
  await kept(page, "/privacy");
  const online = await page.goto(path);
  expect([online?.status(), online?.fromServiceWorker()]).toEqual([200, true]);
  expect(await page.locator(NOTE).count()).toBe(0);

  await page.context().setOffline(true);
  for (const [address, text] of [
    [path, ref],
    ["/privacy", "Privacy"],
  ] as const) {
    const note = page.locator(NOTE);
    await page.goto(address);
    await note.waitFor();
    expect(await note.textContent()).toMatch(
      /This page is as it was on \d+ \w+ \d{4} at \d\d:\d\d: prices may have changed/,
    );
    expect(await page.getByRole("main").textContent()).toContain(text);
    expect(await page.locator("script[type=module]").count()).toBe(0);
    // It has its styles and fonts, which were stored too.
    expect(await note.evaluate((element) => getComputedStyle(element).position)).toBe("fixed");
    await expect
      .poll(() => page.evaluate(() => document.fonts.check("1rem Hanken Grotesk")))
      .toBe(true);
  }
  const picture = page.locator("main img").first();
  await page.goto(path);
  expect(await picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(
    0,
  );

  await page.context().setOffline(false);
  await page.getByRole("link", { name: "Try again" }).click();
  await page.waitForFunction(() => document.querySelector(".offline-note") === null);
  const stored = await page.evaluate(async () => {
    const names = await caches.keys();
    const keys = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
    return keys.flat().map(({ url }) => new URL(url).pathname);
  });
  expect(stored).toContain(path);
  expect(stored.filter((each) => each.startsWith("/api/"))).toEqual([]);

  // In Spanish, and a page that was never visited: it links to the stored pages.
  await open(page, "/es/privacy");
  await kept(page, "/es/privacy");
  const title = await page.title();
  await page.context().setOffline(true);
  await page.goto("/es/news");
  expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("Sin conexión");
  await page.getByRole("link", { name: title }).click();
  await page.locator(NOTE).waitFor();
  expect(await page.locator(NOTE).textContent()).toMatch(
    /Esta página está como estaba el .*: los precios pueden haber cambiado/,
  );
  await page.context().setOffline(false);

  // A page that loses its connection says since when, and its links lead to stored pages.
  await open(page, "/");
  await page.waitForFunction(() =>
    performance.getEntriesByType("resource").some(({ name }) => name.includes("/service-worker-")),
  );
  await kept(page, "/");
  await page.context().setOffline(true);
  await page.locator(NOTE).waitFor();
  expect(await page.locator(NOTE).textContent()).toMatch(/You have been offline since \d\d:\d\d/);
  await page.getByRole("contentinfo").getByRole("link", { name: "Privacy" }).first().click();
  await page.getByText("This page is as it was on").waitFor();
  expect(new URL(page.url()).pathname).toBe("/privacy");
});

test("the sign-in page says that the connection is lost, and is not stored", async () => {
  const page = await visitor({ serviceWorkers: "allow" });
  await open(page, "/privacy");
  await kept(page, "/privacy");
  await open(page, "/es/login");
  await page.waitForFunction(() =>
    performance.getEntriesByType("resource").some(({ name }) => name.includes("/service-worker-")),
  );
  await tell(page, { page: "/terms" });
  await kept(page, "/terms");
  await page.context().setOffline(true);
  await page.locator(NOTE).waitFor();
  expect(await page.locator(NOTE).textContent()).toMatch(
    /^Sin conexión desde (la 1|las \d\d?):\d\d/,
  );
  const all = await stored(page);
  expect(all).toContain("/privacy");
  expect(all.filter((each) => each.includes("login"))).toEqual([]);
});

test("a home marked as favourite in a list can be read offline, unless the visitor saves data", async () => {
  const page = await visitor({ serviceWorkers: "allow", viewport: { width: 390, height: 844 } });
  await open(page, "/es/property-for-sale");
  await kept(page, "/es/property-for-sale");
  const like = async (place: number) => {
    const card = page.getByRole("main").getByRole("article").nth(place);
    await card.getByRole("button", { name: /^Favorita: / }).click();
    const href = await card.getByRole("heading").getByRole("link").getAttribute("href");
    return { path: href ?? "", ref: (await card.getAttribute("data-ref")) ?? "" };
  };
  const liked = await like(0);
  await kept(page, liked.path);

  const [worker] = page.context().serviceWorkers();
  await worker?.evaluate(() => {
    Object.defineProperty(navigator, "connection", {
      configurable: true,
      value: { saveData: true },
    });
    const told: unknown[] = [];
    Object.assign(self, { told });
    addEventListener("message", ({ data }) => told.push(data.page));
  });
  const saved = await like(1);
  await expect
    .poll(() => worker?.evaluate(() => (self as unknown as { told: unknown[] }).told))
    .toContain(saved.path);
  // Messages are handled in order: the earlier one would have been stored first.
  await worker?.evaluate(() => {
    Object.defineProperty(navigator, "connection", { value: { saveData: false } });
  });
  for (const barrier of ["/es/privacy", "/es/cookies"]) {
    await tell(page, { page: barrier });
    await kept(page, barrier);
  }
  const all = await stored(page);
  expect([all.includes(liked.path), all.includes(saved.path)]).toEqual([true, false]);

  // As if so many pages had been visited since that they displaced it.
  const isFavourite = async (path: string) =>
    (await caches.match(path, { cacheName: "almijara-favourites-1" })) !== undefined;
  await expect.poll(() => page.evaluate(isFavourite, liked.path)).toBe(true);
  await page.evaluate(() => caches.delete("almijara-pages-1"));
  await page.context().setOffline(true);
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto(liked.path);
  await page.locator(NOTE).waitFor();
  expect(await page.getByRole("main").textContent()).toContain(liked.ref);
  // Its first picture was loaded on the card, in another width.
  const picture = page.locator("main img").first();
  await expect
    .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(0);
});

/** Sends the worker the message that the page sends for a visited page. */
function tell(page: Page, message: { page: string; files?: string[] }): Promise<void> {
  return page.evaluate((said) => navigator.serviceWorker.controller?.postMessage(said), message);
}

/** Returns the paths that the worker has stored. */
function stored(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const names = await caches.keys();
    const keys = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
    return keys.flat().map(({ url }) => new URL(url).pathname);
  });
}

test("pages are downloaded once, private ones are not stored, and data saving is respected", async () => {
  const { path } = await anyProperty();
  const { url, seen } = await watchedSite();
  const page = await visitor({ baseURL: url, serviceWorkers: "allow" });
  const documents = (address: string) => seen.filter((each) => each.path === address);
  await open(page, "/contact-us");
  await kept(page, "/contact-us");

  seen.length = 0;
  await open(page, path);
  await kept(page, path);
  // The page reports its visit last; only the change stream starts after that.
  await expect.poll(() => seen.some((each) => each.path.startsWith("/api/changes"))).toBe(true);
  // Messages are handled in order: the earlier one would have been requested first.
  await tell(page, { page: "/privacy" });
  await kept(page, "/privacy");
  expect(documents(path)).toEqual([{ path, to: "document", preloaded: true }]);

  // Client-side navigation to a private page: its document is not requested in the background.
  await page.getByRole("contentinfo").getByRole("link", { name: "Client area" }).click();
  await page.waitForURL("**/login");
  await page.getByLabel("Email address").waitFor();
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
  await tell(page, { page: "/terms" });
  await kept(page, "/terms");
  expect(documents("/login")).toEqual([]);
  // If a page reports it anyway, the worker stores neither it nor its pictures.
  const [picture = ""] = seen.map((each) => each.path).filter((each) => /^\/media/.test(each));
  await page.evaluate((name) => caches.delete(name), "almijara-files-1");
  await tell(page, { page: "/login", files: [picture] });
  await expect.poll(() => documents("/login").length).toBe(1);
  for (const barrier of ["/cookies", "/accessibility"]) {
    await tell(page, { page: barrier });
    await kept(page, barrier);
  }
  const all = await stored(page);
  expect(all).toContain("/accessibility");
  expect(all.filter((each) => each === "/login" || each === picture)).toEqual([]);

  const [worker] = page.context().serviceWorkers();
  await worker?.evaluate(() => {
    Object.defineProperty(navigator, "connection", { value: { saveData: true } });
  });
  await tell(page, { page: "/docs" });
  await open(page, "/news");
  await kept(page, "/news");
  expect(documents("/docs")).toEqual([]);
  expect(documents("/news").map(({ to }) => to)).toEqual(["document"]);
});

test("filters, pages and map views of a list download no document", async () => {
  const { url, seen } = await watchedSite();
  const page = await visitor({ baseURL: url, serviceWorkers: "allow" });
  await open(page, "/property-for-sale");
  await kept(page, "/property-for-sale");
  const spanish = page.getByRole("banner").getByRole("link", { name: "Español" });
  /** Does something that changes the address, and waits until the worker would have been told of it. */
  const step = async (act: () => Promise<unknown>, isMeant: (at: URL) => boolean) => {
    await act();
    await page.waitForURL(isMeant);
    const { pathname, search } = new URL(page.url());
    await expect.poll(() => spanish.getAttribute("href")).toBe(`/es${pathname}${search}`);
    await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
  };
  seen.length = 0;

  const next = await hydrated(page.locator("a[rel=next]"));
  await step(
    () => next.click(),
    (at) => at.searchParams.get("page") === "2",
  );
  const filters = await hydrated(page.locator("#filters-form"));
  const houses = filters.getByRole("checkbox", { name: "Houses" });
  await step(
    () => houses.check(),
    (at) => at.search === "?propertyType=House",
  );
  const nerja = filters.locator("input[name=location][value=nerja]");
  await step(
    () => nerja.check(),
    (at) => at.pathname === "/property-for-sale/nerja",
  );
  await step(
    () => houses.uncheck(),
    (at) => at.pathname + at.search === "/property-for-sale/nerja",
  );
  const choice = page.getByRole("navigation", { name: "Show as" });
  await step(
    () => choice.getByRole("link", { name: "Map" }).click(),
    (at) => at.searchParams.get("view") === "map",
  );
  await page.getByRole("button", { name: "Zoom in", exact: true }).waitFor();
  const surface = page.getByRole("application", { name: "Map", exact: true });
  await surface.focus();
  for (const key of ["+", "ArrowRight", "ArrowLeft"]) {
    const from = page.url();
    await step(
      () => page.keyboard.press(key),
      (at) => at.href !== from && at.searchParams.has("bbox"),
    );
  }
  // Messages are handled in order: the earlier ones would have been requested first.
  await tell(page, { page: "/privacy" });
  await kept(page, "/privacy");
  const isList = (path: string) => /^\/property-for-sale(\/[^/.?]*)?(\?|$)/.test(path);
  expect(seen.map((each) => each.path).filter(isList)).toEqual([]);
  expect(seen.some((each) => each.path.startsWith("/api/properties?"))).toBe(true);
});
