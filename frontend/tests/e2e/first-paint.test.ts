import type { Page, Route } from "playwright-core";
import { expect, test } from "vitest";
import { alive, anyProperty, visitor } from "./site.ts";

const PHONE = { viewport: { width: 390, height: 844 } };

/** Nothing waits longer, however slow the machine; a little less, for it counts from the document. */
const LIMIT_MS = 3_500;

interface Asked {
  path: string;
  /** When, in milliseconds since the epoch. */
  at: number;
}

interface Held {
  /** What else was asked for. */
  asked: Asked[];
  /** Lets the first picture come. */
  release: () => Promise<void>;
}

/** Keeps the first picture of the next page back until it is released. */
async function holdFirstPicture(page: Page): Promise<Held> {
  const asked: Asked[] = [];
  const first = Promise.withResolvers<Route>();
  let holding = true;
  await page.route("**/*", async (route) => {
    const { pathname } = new URL(route.request().url());
    if (holding && pathname.startsWith("/media/")) {
      holding = false;
      first.resolve(route);
    } else {
      asked.push({ path: pathname, at: Date.now() });
      await route.continue();
    }
  });
  return { asked, release: async () => (await first.promise).continue() };
}

/** How far what is seen has moved by itself, as the browser reckons it (Layout Instability API). */
const moved = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let sum = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries())
            sum += (entry as unknown as { value: number }).value;
        }).observe({ type: "layout-shift", buffered: true });
        setTimeout(() => resolve(sum), 300);
      }),
  );

const isPicture = ({ path }: Asked) => path.startsWith("/media/");
const isScript = ({ path }: Asked) => path.endsWith(".js");

test("the first window has the line to itself, and then all the rest comes", async () => {
  const { path } = await anyProperty();
  for (const address of ["/", "/property-for-sale", path]) {
    const page = await visitor(PHONE);
    const { asked, release } = await holdFirstPicture(page);
    await page.goto(address, { waitUntil: "domcontentloaded" });
    await page.getByRole("heading", { level: 1 }).waitFor();
    await expect.poll(() => asked.some(({ path }) => path.endsWith(".css"))).toBe(true);
    // As long as anything but the picture could have taken.
    await page.waitForTimeout(500);
    const limit = LIMIT_MS + (await page.evaluate(() => performance.timeOrigin));
    const early = asked.filter((one) => (isPicture(one) || isScript(one)) && one.at < limit);
    expect(early).toEqual([]);
    await release();
    await alive(page);
    // What the browser's makers call good; letters that come late on a slow machine move a little.
    expect(await moved(page)).toBeLessThan(0.1);
    await page.evaluate(() => scrollTo(0, 900));
    await expect.poll(() => asked.some(isPicture)).toBe(true);
  }
});

test("who scrolls does not wait for it", async () => {
  const page = await visitor(PHONE);
  const { asked } = await holdFirstPicture(page);
  await page.goto("/property-for-sale", { waitUntil: "domcontentloaded" });
  await page.mouse.wheel(0, 900);
  await expect.poll(() => asked.some(isPicture)).toBe(true);
  await alive(page);
});

const isShown = (page: Page) => page.evaluate(() => "shown" in document.documentElement.dataset);

test("nor does who comes to a place further down", async () => {
  const page = await visitor(PHONE);
  await holdFirstPicture(page);
  await page.goto("/property-for-sale#content", { waitUntil: "domcontentloaded" });
  expect(await isShown(page)).toBe(true);
});

test("nor who reads a page again", async () => {
  const page = await visitor(PHONE);
  await page.goto("/property-for-sale");
  await holdFirstPicture(page);
  await page.reload({ waitUntil: "domcontentloaded" });
  expect(await isShown(page)).toBe(true);
});

test("a step back lands where the visitor was, however tall what they passed", async () => {
  const { path } = await anyProperty();
  for (const address of ["/", path]) {
    const page = await visitor(PHONE);
    await page.goto(address);
    await alive(page);
    const home = page.locator("main article").last().getByRole("link").first();
    await home.scrollIntoViewIfNeeded();
    // What they passed takes its own height.
    await page.locator("html[data-whole]").waitFor();
    await home.scrollIntoViewIfNeeded();
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
