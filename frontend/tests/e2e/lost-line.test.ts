import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { expectFaults, open, painted, visitor } from "./site.ts";

/** Returns the number of requested pictures that failed to load. */
const lost = (page: Page) =>
  page.evaluate(
    () =>
      Array.from(document.images).filter(
        ({ complete, naturalWidth, currentSrc }) => complete && naturalWidth === 0 && currentSrc,
      ).length,
  );

test("a picture that a busy site refused is loaded a moment later", async () => {
  const page = await visitor();
  const refused = new Set<string>();
  const askedAgain = new Set<string>();
  await page.route("**/media/**", async (route) => {
    const url = route.request().url();
    if (refused.has(url)) askedAgain.add(url);
    if (refused.size === 3 || refused.has(url)) return route.continue();
    refused.add(url);
    return route.fulfill({ status: 503, headers: { "retry-after": "3" } });
  });
  await open(page, "/property-for-sale");
  await expect.poll(() => askedAgain.size).toBe(3);
  await expect.poll(() => lost(page)).toBe(0);
});

test("pictures that failed on a lost connection are loaded once it is back", async () => {
  const page = await visitor();
  const away = Promise.withResolvers<void>();
  let isBack = false;
  await page.route("**/media/**", async (route) => {
    if (isBack) return route.continue();
    await away.promise;
    return route.abort("internetdisconnected");
  });
  // The script that retries is loaded once the page follows the change stream.
  const follows = page.waitForRequest(/\/api\/changes/);
  await open(page, "/property-for-sale");
  await follows;
  await page.context().setOffline(true);
  away.resolve();
  await expect.poll(() => lost(page)).toBeGreaterThan(3);
  isBack = true;
  await page.context().setOffline(false);
  await expect.poll(() => lost(page)).toBe(0);
  expectFaults(/ERR_INTERNET_DISCONNECTED/);
});

test("background work starts once a lost connection is back", async () => {
  const page = await visitor({ serviceWorkers: "allow" });
  const script = /\/assets\/background-work/;
  await page.route(
    script,
    async (route) => {
      await page.context().setOffline(true);
      await route.abort("internetdisconnected");
    },
    { times: 1 },
  );
  const failed = page.waitForEvent("requestfailed", (request) => script.test(request.url()));
  const follows = page.waitForRequest(/\/api\/changes/);
  await page.goto("/property-for-sale", { waitUntil: "domcontentloaded" });
  await failed;
  // The page handles the failure a moment later.
  await painted(page);
  await page.context().setOffline(false);
  await follows;
});
