import { expect, test } from "vitest";
import {
  alive,
  anyProperty,
  BASE_URL,
  expectFaults,
  hydrated,
  open,
  painted,
  visitor,
} from "./site.ts";

test("a page that takes its time is announced by the bar, and one that fails ends it in red", async () => {
  const page = await visitor();
  await open(page, "/");
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/api/articles?*", async (route) => {
    await released;
    await route.fulfill({ status: 500, body: "" });
  });
  await page.getByRole("contentinfo").getByRole("link", { name: "News", exact: true }).click();
  const bar = page.locator(".loading-bar[data-loading]");
  await bar.waitFor({ state: "attached" });
  const look = await bar.evaluate((each) => {
    const { backgroundColor, height, animationDelay, animationDuration } = getComputedStyle(each);
    return { backgroundColor, height, animationDelay, animationDuration };
  });
  expect(look).toEqual({
    backgroundColor: "rgb(244, 188, 83)",
    height: "3px",
    animationDelay: "0.2s",
    animationDuration: "2s",
  });
  release();
  await page.getByRole("heading", { name: "An error occurred" }).waitFor();
  const failed = page.locator(".loading-bar[data-failed]");
  expect(await failed.evaluate((each) => getComputedStyle(each).backgroundColor)).toBe(
    "rgb(220, 38, 38)",
  );
  await bar.waitFor({ state: "detached" });
  // The browser logs the failed answer.
  expectFaults(/\b500\b/);
});

test("a toast says that the link is copied, stays while it is hovered, and disappears", async () => {
  const page = await visitor({ permissions: ["clipboard-read", "clipboard-write"] });
  await page.clock.install();
  const { path } = await anyProperty();
  await open(page, path);
  const share = page.getByRole("button", { name: "Share" });
  const copy = page.getByRole("button", { name: "Copy the link" });
  await share.click();
  // From here on the test controls the clock.
  await page.clock.pauseAt(Date.now() + 60_000);
  await copy.click();
  const toast = page.getByRole("dialog", { name: "Link copied" });
  await toast.waitFor();
  await page.clock.runFor(100);
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(path);
  await page.keyboard.press("Escape");

  await toast.hover();
  await page.clock.runFor(20_000);
  expect(await toast.isVisible()).toBe(true);
  // The pointer leaves while the focus is still inside.
  const close = toast.getByRole("button", { name: "Close" });
  await close.focus();
  await page.mouse.move(5, 5);
  await page.clock.runFor(20_000);
  expect(await toast.isVisible()).toBe(true);
  await close.evaluate((button) => button.blur());
  await page.clock.runFor(5_000);
  await toast.waitFor({ state: "detached" });

  await share.click();
  await copy.click();
  await toast.getByRole("button", { name: "Close" }).click();
  // Less than its normal duration.
  await page.clock.runFor(1_000);
  await toast.waitFor({ state: "detached" });
});

test("a toast stays for five seconds in the bottom corner, as wide as a phone or 24rem", async () => {
  const { path } = await anyProperty();
  for (const [width, height, box] of [
    [1280, 900, { right: 1280 - 16, width: 384 }],
    [390, 844, { right: 390 - 16, width: 390 - 32 }],
  ] as const) {
    const page = await visitor({
      viewport: { width, height },
      permissions: ["clipboard-read", "clipboard-write"],
      reducedMotion: "reduce",
    });
    await page.clock.install();
    await open(page, path);
    await page.getByRole("button", { name: "Share" }).click();
    await page.clock.pauseAt(Date.now() + 60_000);
    await page.getByRole("button", { name: "Copy the link" }).click();
    const toast = page.getByRole("dialog", { name: "Link copied" });
    await toast.waitFor();
    await toast.locator("svg.icon.text-leaf").waitFor();
    // In its first frame it is at the start of its animation.
    await page.clock.runFor(100);
    const found = await toast.boundingBox();
    if (!found) throw new Error("the toast has no place");
    expect({ right: found.x + found.width, width: found.width }).toEqual(box);
    expect(found.y + found.height).toBe(height - 16);
    await page.clock.runFor(4_800);
    expect(await toast.isVisible()).toBe(true);
    await page.clock.runFor(200);
    await toast.waitFor({ state: "detached" });
  }
});

test("a new build is loaded with the next navigation, as a full page load", async () => {
  const page = await visitor();
  await page.clock.install();
  await open(page, "/");
  const first = page.waitForResponse("**/builds/latest.json");
  await page.clock.runFor(1_000);
  await first;
  await page.evaluate(() => {
    document.documentElement.dataset.opened = "before";
  });
  await page.route("**/builds/latest.json", (route) => route.fulfill({ json: { id: "another" } }));
  const asked = page.waitForResponse("**/builds/latest.json");
  await page.clock.runFor(5 * 60_000);
  await (await asked).finished();
  // The page processes the answer a moment later.
  await painted(page);
  await page.getByRole("contentinfo").getByRole("link", { name: "Houses and villas" }).click();
  await page.waitForURL("**/property-for-sale?propertyType=House");
  await page.waitForFunction(() => document.documentElement.dataset.opened === undefined);
});

test("a page hydrates even if its own script is late", async () => {
  const page = await visitor();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const came = new Set<string>();
  let requests = 0;
  page.on("requestfinished", (request) => came.add(new URL(request.url()).pathname));
  await page.route("**/assets/home-*.js", async (route) => {
    requests += 1;
    await released;
    await route.continue();
  });
  await page.goto("/", { waitUntil: "commit" });
  // Every other script of the document is loaded first.
  await page.getByRole("contentinfo").waitFor();
  const scripts = await page
    .locator("link[rel=modulepreload]")
    .evaluateAll((links) => links.map((link) => new URL((link as HTMLLinkElement).href).pathname));
  const others = scripts.filter((path) => !/\/home-[^/]*\.js$/.test(path));
  expect(others.length).toBeLessThan(scripts.length);
  await expect.poll(() => others.filter((path) => !came.has(path))).toEqual([]);
  release();
  await alive(page);
  expect(requests).toBe(1);
});

// A home's page has forms, which are still empty.
test.each([
  ["a page", async () => "/"],
  ["a home", async () => (await anyProperty()).path],
])("%s whose script is lost is reloaded once, and then shows an error", async (_, at) => {
  const path = await at();
  const page = await visitor();
  let documents = 0;
  page.on("request", (request) => {
    if (request.resourceType() === "document") documents += 1;
  });
  await open(page, path);
  const script = await page.evaluate(() => {
    const manifest = Reflect.get(window, "__reactRouterManifest") as {
      routes: Record<string, { module: string }>;
    };
    return manifest.routes["routes/news"]?.module ?? "";
  });
  expect(script).toMatch(/^\/assets\//);
  await page.route(`**${script}`, (route) => route.abort("failed"));
  const foot = page.getByRole("contentinfo");
  const news = foot.getByRole("link", { name: "News", exact: true });
  await hydrated(foot);
  const again = page.waitForEvent("load");
  // By key: hovering the link would already request its script.
  await news.press("Enter");
  await again;
  await alive(page);
  expect(new URL(page.url()).pathname).toBe(path);
  await hydrated(foot);
  await news.press("Enter");
  await page.getByRole("heading", { name: "An error occurred" }).waitFor();
  expect(documents).toBe(2);
  // The browser logs the failed script; all messages have arrived once it is closed.
  await page.context().close();
  expectFaults(new RegExp(script));
});

test("while the build is the same, a step stays within the page", async () => {
  const page = await visitor();
  await page.clock.install();
  // The sign-in pages have their own layout, with the same footer.
  await open(page, "/login");
  const asked = page.waitForResponse("**/builds/latest.json");
  await page.clock.runFor(1_000);
  expect(await (await asked).json()).toEqual({
    id: await page.evaluate(() => Reflect.get(window, "__reactRouterManifest").version),
  });
  // The live region for toasts has to exist before the first toast.
  expect(await page.locator("[aria-live=polite]").count()).toBe(1);
  await page.evaluate(() => {
    document.documentElement.dataset.opened = "before";
  });
  await page.getByRole("banner").getByRole("link", { name: "Almijara Homes" }).click();
  await page.waitForURL(`${BASE_URL}/`);
  expect(await page.evaluate(() => document.documentElement.dataset.opened)).toBe("before");
});
