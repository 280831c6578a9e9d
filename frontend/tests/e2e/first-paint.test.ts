import type { Page, Route } from "playwright-core";
import { expect, test } from "vitest";
import { alive, anyProperty, visitor } from "./site.ts";

const PHONE = { viewport: { width: 390, height: 844 } };

interface Held {
  /** What was asked for while the first picture was on its way. */
  asked: string[];
  /** Lets the first picture come. */
  release: () => Promise<void>;
}

/** Keeps the first picture of the next page back until it is released. */
async function holdFirstPicture(page: Page): Promise<Held> {
  const asked: string[] = [];
  const first = Promise.withResolvers<Route>();
  let holding = true;
  await page.route("**/*", async (route) => {
    const { pathname } = new URL(route.request().url());
    if (holding && pathname.startsWith("/media/")) {
      holding = false;
      first.resolve(route);
    } else {
      asked.push(pathname);
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

const isOthers = (path: string) => path.startsWith("/media/") || path.endsWith(".js");

test("the first window has the line to itself, and then all the rest comes", async () => {
  const { path } = await anyProperty();
  for (const address of ["/", "/property-for-sale", path]) {
    const page = await visitor(PHONE);
    const { asked, release } = await holdFirstPicture(page);
    await page.goto(address, { waitUntil: "domcontentloaded" });
    await page.getByRole("heading", { level: 1 }).waitFor();
    await expect.poll(() => asked.some((file) => file.endsWith(".css"))).toBe(true);
    // As long as anything but the picture could have taken.
    await page.waitForTimeout(500);
    expect(asked.filter(isOthers)).toEqual([]);
    await release();
    await alive(page);
    expect(await moved(page)).toBeLessThan(0.01);
    await page.evaluate(() => scrollTo(0, 900));
    await expect.poll(() => asked.some((file) => file.startsWith("/media/"))).toBe(true);
  }
});

test("who scrolls does not wait for it", async () => {
  const page = await visitor(PHONE);
  const { asked } = await holdFirstPicture(page);
  await page.goto("/property-for-sale", { waitUntil: "domcontentloaded" });
  await page.mouse.wheel(0, 900);
  await expect.poll(() => asked.some((file) => file.startsWith("/media/"))).toBe(true);
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
