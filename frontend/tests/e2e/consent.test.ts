import type { BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { axeFaults } from "./axe.ts";
import { type Renderer, startRenderer } from "./renderer.ts";
import { alive, anyProperty, BASE_URL, hasFocus, visitor, waitForFocus } from "./site.ts";

const COUNTER = "https://counter.example";
const SCRIPT = `${COUNTER}/beacon.js`;

let renderer: Renderer;

/** The site under test has no visit counter, so a second renderer with one serves these pages. */
beforeAll(async () => {
  renderer = await startRenderer({ ANALYTICS_SRC: SCRIPT, ANALYTICS_TOKEN: "a-token" });
});

afterAll(() => renderer?.stop());

/** Returns a visitor of the site with the counter, and the requests to the counter. */
async function counted(options?: BrowserContextOptions): Promise<[Page, string[]]> {
  const page = await visitor(options);
  const asked: string[] = [];
  await page.route(`${COUNTER}/**`, async (route) => {
    asked.push(route.request().url());
    await route.fulfill({
      contentType: "text/javascript",
      body: "document.documentElement.dataset.counted = document.currentScript.dataset.cfBeacon",
    });
  });
  await page.route(
    (url) => url.origin === BASE_URL && !/^\/(api|assets|media|builds)\//.test(url.pathname),
    async (route) => {
      if (route.request().resourceType() !== "document") return route.fallback();
      const { pathname, search } = new URL(route.request().url());
      const response = await fetch(renderer.url + pathname + search);
      await route.fulfill({
        status: response.status,
        headers: Object.fromEntries(response.headers),
        body: await response.text(),
      });
    },
  );
  return [page, asked];
}

async function look(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await alive(page);
}

const question = (page: Page) => page.getByRole("region", { name: "May we count your visit?" });
const consentOf = async (page: Page) =>
  (await page.context().cookies()).find(({ name }) => name === "consent");

test("no other site gets a request before a yes, and a yes is remembered for half a year", async () => {
  const [page, asked] = await counted();
  await look(page, "/");
  await question(page).waitFor();
  expect(await page.evaluate(() => scrollY)).toBe(0);
  expect(asked).toEqual([]);

  await question(page).getByRole("button", { name: "Yes, count it" }).click();
  await page.waitForFunction(() => document.documentElement.dataset.counted !== undefined);
  expect(await page.evaluate(() => document.documentElement.dataset.counted)).toBe(
    '{"token":"a-token","spa":false}',
  );
  expect(asked).toEqual([SCRIPT]);
  expect(await question(page).count()).toBe(0);
  const cookie = await consentOf(page);
  expect([cookie?.value, cookie?.sameSite, cookie?.path]).toEqual(["yes", "Lax", "/"]);
  const days = ((cookie?.expires ?? 0) - Date.now() / 1000) / 86_400;
  expect(Math.round(days)).toBe(182);

  await look(page, "/es");
  await page.waitForFunction(() => document.documentElement.dataset.counted !== undefined);
  expect(asked).toEqual([SCRIPT, SCRIPT]);
});

test("a no is stored and can be changed later, and so can a yes", async () => {
  const [page, asked] = await counted();
  await look(page, "/");
  await question(page).getByRole("button", { name: "No, thank you" }).click();
  await question(page).waitFor({ state: "detached" });
  expect((await consentOf(page))?.value).toBe("no");
  await look(page, "/privacy");
  expect(asked).toEqual([]);

  const again = page.getByRole("contentinfo").getByRole("list", { name: "Legal" });
  await again.getByRole("button").click();
  await question(page).getByRole("button", { name: "Yes, count it" }).click();
  await expect.poll(() => asked.length).toBe(1);

  // A reload unloads the counter's script.
  await again.getByRole("button").click();
  const reloaded = page.waitForEvent("load");
  await question(page).getByRole("button", { name: "No, thank you" }).click();
  await reloaded;
  await alive(page);
  expect(await page.locator("#analytics").count()).toBe(0);
  expect(asked).toHaveLength(1);
});

test("a visitor whose browser sends Global Privacy Control is neither asked nor counted", async () => {
  const [page, asked] = await counted();
  await page.addInitScript(() => {
    Object.defineProperty(Navigator.prototype, "globalPrivacyControl", { get: () => true });
  });
  await look(page, "/");
  // A later visitor without the signal is asked: by then this one would have been, too.
  const [other] = await counted();
  await look(other, "/");
  await question(other).waitFor();
  expect(await question(page).count()).toBe(0);
  expect(asked).toEqual([]);
});

test("the sign-in page asks too, and private pages are not counted", async () => {
  const [page, asked] = await counted();
  await look(page, "/login");
  await question(page).getByRole("button", { name: "Yes, count it" }).click();
  await question(page).waitFor({ state: "detached" });
  expect((await consentOf(page))?.value).toBe("yes");
  // The next page is public, but its document remembers the private address that it was loaded from.
  await page.getByRole("banner").getByRole("link", { name: "Almijara Homes" }).click();
  await page.waitForURL(`${BASE_URL}/`);
  await idleCallbacksDone(page);
  await look(page, "/login");
  await idleCallbacksDone(page);
  // Nor if the referrer is a private address.
  await page.goto("/es", { referer: `${BASE_URL}/alerts?token=x` });
  await page.waitForFunction(() =>
    performance.getEntriesByType("resource").some(({ name }) => /\/count-[^/]*\.js$/.test(name)),
  );
  await idleCallbacksDone(page);
  expect(await page.locator("#analytics").count()).toBe(0);
  expect(asked).toEqual([]);
  await look(page, "/");
  await page.waitForFunction(() => document.documentElement.dataset.counted !== undefined);
  expect(asked).toEqual([SCRIPT]);
});

/** Waits until a page has run its idle callbacks. */
const idleCallbacksDone = (page: Page) =>
  page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));

test("an answer in another tab is respected from the next navigation on", async () => {
  const [page] = await counted();
  await look(page, "/privacy");
  await question(page).waitFor();
  // As the other tab stores it.
  await page.context().addCookies([{ name: "consent", value: "no", url: BASE_URL }]);
  await page.getByRole("banner").getByRole("link", { name: "Almijara Homes" }).click();
  await page.waitForURL(`${BASE_URL}/`);
  await question(page).waitFor({ state: "detached" });
});

test("answering by keyboard returns the focus to where it was", async () => {
  const [page] = await counted();
  await look(page, "/");
  await question(page).waitFor();
  const foot = page.getByRole("contentinfo");
  const last = foot.getByRole("link").last();
  const again = foot.getByRole("list", { name: "Legal" }).getByRole("button");
  const no = question(page).getByRole("button", { name: "No, thank you" });
  await last.focus();
  await no.press("Enter");
  await question(page).waitFor({ state: "detached" });
  expect(await hasFocus(last)).toBe(true);
  // Reopened, the question takes the focus, and returns it.
  await again.press("Enter");
  await waitForFocus(question(page));
  await no.press("Enter");
  await question(page).waitFor({ state: "detached" });
  expect(await hasFocus(again)).toBe(true);
  // The same if it is already open.
  await again.press("Enter");
  await waitForFocus(question(page));
  await again.press("Enter");
  await waitForFocus(question(page));
});

test("a toast is above the question, and both can be used", async () => {
  const [page] = await counted({ permissions: ["clipboard-read", "clipboard-write"] });
  await page.setViewportSize({ width: 390, height: 844 });
  await look(page, (await anyProperty()).path);
  await question(page).waitFor();
  await page.getByRole("button", { name: "Share" }).click();
  await page.getByRole("button", { name: "Copy the link" }).click();
  const toast = page.getByRole("dialog", { name: "Link copied" });
  const close = toast.getByRole("button", { name: "Close" });
  // A hovered toast stays, and a trial click does not move the mouse.
  await close.hover();
  // A click waits until nothing covers its target.
  await question(page).getByRole("button", { name: "No, thank you" }).click({ trial: true });
  await close.click();
  await toast.waitFor({ state: "detached" });
  await question(page).getByRole("button", { name: "No, thank you" }).click();
  await question(page).waitFor({ state: "detached" });
});

test("the question is accessible, in both languages and colours, on a phone and a desktop", async () => {
  for (const path of ["/", "/es"]) {
    const [page] = await counted({ reducedMotion: "reduce" });
    await look(page, path);
    await page.locator("[aria-labelledby=consent]").waitFor();
    for (const width of [1440, 390]) {
      for (const colorScheme of ["light", "dark"] as const) {
        await page.setViewportSize({ width, height: 900 });
        await page.emulateMedia({ colorScheme });
        const found = await axeFaults(page, { within: "[aria-labelledby=consent]" });
        expect([path, width, colorScheme, found]).toEqual([path, width, colorScheme, []]);
      }
    }
  }
});
