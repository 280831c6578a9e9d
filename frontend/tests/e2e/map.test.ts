import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { axeFaults } from "./axe.ts";
import {
  ask,
  BASE_URL,
  expectFaults,
  hasFocus,
  hydrated,
  open,
  openWhole,
  READABLE,
  takesKeys,
  visitor,
  waitForFocus,
} from "./site.ts";

const MAP = "/property-for-sale?view=map";

const map = (page: Page) => page.getByRole("group", { name: "Map of the properties" });
const surface = (page: Page) => map(page).getByRole("application", { name: "Map" });
const markers = (page: Page) => map(page).getByRole("list", { name: "Properties on the map" });
const told = (page: Page) => map(page).getByRole("status");
const parameter = (page: Page, name: string) => new URL(page.url()).searchParams.get(name);
const degrees = (text: string | null) => (text ?? "").split(",").map(Number);

async function openMap(page: Page, path = MAP): Promise<void> {
  await open(page, path);
  await interactive(page);
  await markers(page).getByRole("listitem").first().waitFor();
  await settled(page);
}

/** Waits until the interactive map has replaced the drawn one. */
async function interactive(page: Page): Promise<void> {
  await map(page).getByRole("button", { name: "Zoom in", exact: true }).waitFor();
}

/** Waits until the map has no pending requests. */
async function settled(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const group = document.querySelector("[role=group][aria-busy]");
    return group?.getAttribute("aria-busy") === "false";
  });
}

/** Returns the number of homes that the API finds for the search in the page's address. */
async function total(page: Page): Promise<number> {
  const { searchParams } = new URL(page.url());
  searchParams.delete("view");
  const response = await ask(`/api/properties?locale=en&${searchParams}`);
  expect(response.status).toBe(200);
  return ((await response.json()) as { total: number }).total;
}

/** Waits until the list and the map show the number of homes that the API finds, and returns it. */
async function agreedCount(page: Page): Promise<number> {
  const homes = await total(page);
  const words = homes === 1 ? "1 (home|property)" : `${homes} (homes|properties)`;
  await page
    .locator("p[aria-live]")
    .getByText(new RegExp(`^${words}$`))
    .waitFor();
  await told(page)
    .getByText(new RegExp(`^${words}\\.`))
    .waitFor();
  return homes;
}

/** Returns the number of homes on the visible markers, counting those in clusters. */
function visibleHomes(page: Page): Promise<number> {
  return markers(page).evaluate((list) =>
    [...list.querySelectorAll("[data-marker]")].reduce(
      (sum, marker) => sum + (marker.tagName === "BUTTON" ? Number(marker.textContent) : 1),
      0,
    ),
  );
}

/** Returns the middle of the visible part of the map. */
async function middle(page: Page): Promise<{ x: number; y: number }> {
  const box = await surface(page).boundingBox();
  if (!box) throw new Error("the map has no size");
  const bottom = Math.min(box.y + box.height, page.viewportSize()?.height ?? 0);
  return { x: box.x + box.width / 2, y: (box.y + bottom) / 2 };
}

/** Drags the map from its middle. */
async function drag(page: Page): Promise<void> {
  const { x, y } = await middle(page);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x - 60, y - 20, { steps: 4 });
  await page.mouse.move(x - 150, y - 60, { steps: 4 });
  await page.mouse.up();
}

const changed = (page: Page, from: string) => page.waitForURL((url) => url.href !== from);

test("every home with coordinates is on the map, and the map shows how many", async () => {
  const page = await visitor();
  await openMap(page);
  const homes = await agreedCount(page);
  const [, missing = "0"] =
    / (\d+) propert(?:y|ies) (?:isn’t|aren’t)/.exec(
      (await told(page).first().textContent()) ?? "",
    ) ?? [];
  expect((await visibleHomes(page)) + Number(missing)).toBe(homes);
  // The address has no view of a map that nobody has moved.
  expect(parameter(page, "bbox")).toBeNull();
});

test("a page that is opened before the map's search starts is not cancelled by it", async () => {
  const page = await visitor();
  await page.clock.install();
  await openMap(page);
  await surface(page).focus();
  const from = page.url();
  await page.keyboard.press("ArrowRight");
  await changed(page, from);
  await agreedCount(page);
  // It takes longer than the map waits before it searches.
  const { promise: searched, resolve: release } = Promise.withResolvers<void>();
  await page.route(/\/assets\/save-search-/, async (route) => {
    await searched;
    await route.continue();
  });
  const asked = page.waitForRequest(/\/assets\/save-search-/);
  await page.keyboard.press("ArrowLeft");
  await page.getByRole("link", { name: "Save this search" }).press("Enter");
  await asked;
  // Meanwhile the map's delay ends.
  await page.clock.runFor(2_000);
  release();
  await page.waitForURL("**/save-search?**");
});

test("a pin that is pressed before the map's search starts opens its card, and the search runs", async () => {
  const page = await visitor();
  await openMap(page);
  const pin = markers(page).getByRole("link").first();
  await surface(page).focus();
  await page.keyboard.press("ArrowRight");
  // Faster than a pointer could.
  await pin.evaluate((link) => (link as HTMLElement).click());
  await map(page).getByRole("dialog").waitFor();
  await page.waitForURL((url) => url.searchParams.has("bbox"));
  await agreedCount(page);
});

test("a pending change of order is not cancelled when the map is moved", async () => {
  const page = await visitor();
  await openMap(page);
  const all = await agreedCount(page);
  const { promise: moved, resolve: release } = Promise.withResolvers<void>();
  await page.route(/\/api\/properties\?.*sort=price-asc/, async (route) => {
    await moved;
    await route.continue();
  });
  const ordered = page.waitForRequest(/\/api\/properties\?.*sort=price-asc/);
  await page.getByLabel("Sort by").selectOption("price-asc");
  await ordered;
  const searched = page.waitForRequest(/\/api\/properties\?.*bbox=/);
  await surface(page).focus();
  // Zoom in until not all homes are visible.
  await page.keyboard.press("+");
  await searched;
  release();
  await page.waitForURL(({ searchParams: asked }) => asked.has("bbox"));
  expect(parameter(page, "sort")).toBe("price-asc");
  expect(await agreedCount(page)).toBeLessThan(all);
  // A step back restores the earlier list and its map.
  await page.goBack();
  await page.waitForURL(({ searchParams: asked }) => !asked.has("sort") && !asked.has("bbox"));
  expect(await agreedCount(page)).toBe(all);
});

test("a pending search of the map's view is not cancelled by a change of order", async () => {
  const page = await visitor();
  await openMap(page);
  const { promise: ordered, resolve: release } = Promise.withResolvers<void>();
  await page.route(/\/api\/properties\?.*bbox=/, async (route) => {
    await ordered;
    await route.continue().catch(() => undefined);
  });
  const moved = page.waitForRequest(/\/api\/properties\?.*bbox=/);
  await surface(page).focus();
  await page.keyboard.press("+");
  await moved;
  const asked = page.waitForRequest(/\/api\/properties\?(?=.*bbox=).*sort=price-asc/);
  await page.getByLabel("Sort by").selectOption("price-asc");
  await asked;
  release();
  await page.waitForURL(({ searchParams }) => searchParams.has("bbox"));
  expect(parameter(page, "sort")).toBe("price-asc");
  await agreedCount(page);
});

test("by keys the map moves, zooms and opens a home", async () => {
  const page = await visitor();
  await openMap(page);
  const whole = await visibleHomes(page);
  await surface(page).focus();
  let from = page.url();
  await page.keyboard.press("ArrowRight");
  await changed(page, from);
  const [west = 0, , east = 0] = degrees(parameter(page, "bbox"));
  await agreedCount(page);

  from = page.url();
  await page.keyboard.press("+");
  await changed(page, from);
  const [nearWest = 0, , nearEast = 0] = degrees(parameter(page, "bbox"));
  expect(nearEast - nearWest).toBeLessThan((east - west) * 0.75);
  await agreedCount(page);

  // The whole area again, and into a cluster.
  await map(page).getByRole("button", { name: "Whole area" }).press("Enter");
  await page.waitForURL((url) => !url.searchParams.has("bbox"));
  await agreedCount(page);
  // The map animates there, and clusters the homes again at the end.
  await expect.poll(() => visibleHomes(page)).toBe(whole);
  await settled(page);
  const cluster = markers(page).getByRole("button").first();
  const inside = Number(await cluster.textContent());
  from = page.url();
  await cluster.press("Enter");
  await changed(page, from);
  expect(await agreedCount(page)).toBeGreaterThanOrEqual(inside);
  expect(await hasFocus(surface(page))).toBe(true);

  // All markers share one tab stop; arrow keys move between them.
  await page.keyboard.press("Tab");
  const focused = () =>
    page.evaluate(() => (document.activeElement as HTMLElement | null)?.dataset.marker);
  const first = await focused();
  expect(first).toBeDefined();
  expect(await markers(page).locator("[tabindex='0']").count()).toBe(1);
  for (const key of ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"]) {
    await page.keyboard.press(key);
    if ((await focused()) !== first) break;
  }
  if ((await markers(page).locator("[data-marker]").count()) > 1) {
    expect(await focused()).not.toBe(first);
  }
});

test("an area is drawn by keys, searched in, and cleared", async () => {
  const page = await visitor();
  await openMap(page);
  const all = await agreedCount(page);
  await map(page).getByRole("button", { name: "Draw an area" }).press("Enter");
  const sheet = map(page).getByRole("application", { name: "Draw an area" });
  await takesKeys(sheet);

  await page.keyboard.press("Enter");
  await told(page)
    .getByText(/Corner 1: .+\./)
    .waitFor();
  const strides: [string, number][] = [
    ["ArrowRight", 4],
    ["ArrowDown", 4],
    ["ArrowLeft", 8],
  ];
  let corner = 1;
  for (const [key, times] of strides) {
    for (let stride = 0; stride < times; stride++) await page.keyboard.press(key);
    // The text has no counts of the view, which each step changes.
    await told(page)
      .getByText(/^The cross is (?:at [^.]+|[\d.]+ km [^.]+)\.$/)
      .waitFor();
    await page.keyboard.press("Enter");
    await told(page).getByText(`Corner ${++corner}: `).waitFor();
    // A second press on the same spot sets no corner, and does not close the area.
    await page.keyboard.press("Enter");
  }
  await page.keyboard.press("Backspace");
  await told(page).getByText("3 are left").waitFor();
  await page.keyboard.press("Enter");
  await told(page).getByText("Corner 4: ").waitFor();
  // The smallest step away makes another corner.
  await page.keyboard.press("Shift+ArrowUp");
  await page.keyboard.press("Enter");
  await told(page).getByText("Corner 5: ").waitFor();
  // Nothing was searched meanwhile.
  expect(page.url()).toBe(`${BASE_URL}${MAP}`);

  await map(page).getByRole("button", { name: "Search inside" }).press("Enter");
  await page.waitForURL((url) => url.searchParams.has("area"));
  expect(parameter(page, "area")?.split(";")).toHaveLength(5);
  expect(await agreedCount(page)).toBeLessThan(all);
  const clear = map(page).getByRole("button", { name: "Clear the area" });
  await waitForFocus(clear);
  await page.keyboard.press("Enter");
  await page.waitForURL((url) => !url.searchParams.has("area"));
  expect(await agreedCount(page)).toBe(all);
});

test("by keys a corner near the last one does not close the area, even when zoomed out", async () => {
  const page = await visitor({ reducedMotion: "reduce" });
  await openMap(page);
  await map(page).getByRole("button", { name: "Draw an area" }).press("Enter");
  await takesKeys(map(page).getByRole("application", { name: "Draw an area" }));
  let corner = 0;
  const setAfter = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
    await page.keyboard.press("Enter");
    await told(page).getByText(`Corner ${++corner}: `).waitFor();
  };
  await setAfter("+", "+");
  await setAfter("ArrowRight", "ArrowRight");
  await setAfter("ArrowDown", "ArrowDown");
  // Zoomed out, half the smallest step away.
  for (const key of ["Shift+ArrowLeft", "-", "Enter"]) await page.keyboard.press(key);
  await setAfter("ArrowLeft");
  expect(page.url()).toBe(`${BASE_URL}${MAP}`);
});

test("an area is drawn in one stroke, and cancelling changes nothing", async () => {
  const page = await visitor();
  await openMap(page);
  const all = await agreedCount(page);
  const button = map(page).getByRole("button", { name: "Draw an area" });
  const sheet = map(page).getByRole("application", { name: "Draw an area" });
  await button.click();
  await takesKeys(sheet);
  await page.keyboard.press("Escape");
  await button.waitFor();
  expect(page.url()).toBe(`${BASE_URL}${MAP}`);

  await button.click();
  await takesKeys(sheet);
  const { x, y } = await middle(page);
  await page.mouse.move(x + 100, y);
  await page.mouse.down();
  for (let turn = 0; turn <= 1; turn += 1 / 90) {
    await page.mouse.move(x + 100 * Math.cos(turn * 6.283), y + 100 * Math.sin(turn * 6.283));
  }
  await page.mouse.up();
  await page.waitForURL((url) => url.searchParams.has("area"));
  const corners = parameter(page, "area")?.split(";") ?? [];
  expect(corners.length).toBeGreaterThan(6);
  expect(corners.length).toBeLessThanOrEqual(60);
  expect(await agreedCount(page)).toBeLessThan(all);
  const { pathname, search } = new URL(page.url());

  // The map shows it until the area is removed, from wherever.
  const searching = told(page).filter({ hasText: /^Searching an area with \d+ corners\.$/ });
  await searching.waitFor();
  await page.getByRole("link", { name: "Remove filter: drawn on the map" }).click();
  await page.waitForURL((url) => !url.searchParams.has("area"));
  await expect.poll(() => searching.count()).toBe(0);

  // The address leads to the same search.
  await openMap(page, pathname + search);
  expect(await agreedCount(page)).toBeLessThan(all);
});

test("circling a place twice in one stroke still finds the homes in it", async () => {
  const page = await visitor();
  const found: number[] = [];
  for (const laps of [1, 2]) {
    await openMap(page);
    await map(page).getByRole("button", { name: "Draw an area" }).click();
    await takesKeys(map(page).getByRole("application", { name: "Draw an area" }));
    const { x, y } = await middle(page);
    await page.mouse.move(x + 150, y);
    await page.mouse.down();
    for (let turn = 0; turn <= laps; turn += 1 / 90) {
      await page.mouse.move(x + 150 * Math.cos(turn * 6.283), y + 150 * Math.sin(turn * 6.283));
    }
    await page.mouse.up();
    await page.waitForURL((url) => url.searchParams.has("area"));
    found.push(await agreedCount(page));
  }
  const [once = 0, twice = 0] = found;
  expect(once).toBeGreaterThan(0);
  // The corners differ slightly.
  expect(twice).toBeGreaterThan(once / 2);
});

test("undoing the only corner by key keeps the focus, and drawing can be cancelled from there", async () => {
  const page = await visitor();
  await openMap(page);
  const button = map(page).getByRole("button", { name: "Draw an area" });
  await button.press("Enter");
  await takesKeys(map(page).getByRole("application", { name: "Draw an area" }));
  await page.keyboard.press("Enter");
  await told(page).getByText("Corner 1: ").waitFor();
  const undo = map(page).getByRole("button", { name: "Undo last corner" });
  await undo.press("Enter");
  await told(page).getByText("0 are left").waitFor();
  expect(await hasFocus(undo)).toBe(true);
  await page.keyboard.press("Enter");
  await told(page).getByText("Nothing drawn.").waitFor();
  await page.keyboard.press("Escape");
  await button.waitFor();
});

test("a failure to load the map's homes is shown, and retrying by key keeps the focus", async () => {
  const page = await visitor();
  await openMap(page);
  await page.route("**/api/properties/map?*", (route) => route.fulfill({ status: 503 }));
  await surface(page).press("ArrowRight");
  await told(page).getByText("The map can’t show the properties just now.").waitFor();
  expectFaults(/\b503\b/);
  await page.unroute("**/api/properties/map?*");
  await map(page).getByRole("button", { name: "Try again" }).press("Enter");
  await agreedCount(page);
  expect(await hasFocus(surface(page))).toBe(true);
});

test("after a click on the map Backspace still undoes a corner, and Escape cancels", async () => {
  const page = await visitor();
  await openMap(page);
  const button = map(page).getByRole("button", { name: "Draw an area" });
  await button.click();
  await takesKeys(map(page).getByRole("application", { name: "Draw an area" }));
  const { x, y } = await middle(page);
  await page.mouse.click(x - 80, y);
  await told(page).getByText("Corner 1: ").waitFor();
  await page.mouse.click(x + 80, y - 40);
  await told(page).getByText("Corner 2: ").waitFor();
  await page.keyboard.press("Backspace");
  await told(page).getByText("1 is left").waitFor();
  // The last one is near the one before, and does not close the area.
  for (const [number, right, up] of [
    [2, 80, 60],
    [3, 0, 90],
    [4, -20, 110],
  ] as const) {
    await page.mouse.click(x + right, y - up);
    await told(page).getByText(`Corner ${number}: `).waitFor();
  }
  await page.keyboard.press("Escape");
  await button.waitFor();
  expect(page.url()).toBe(`${BASE_URL}${MAP}`);
});

test("with automatic search off, dragging the map searches only on request", async () => {
  const page = await visitor();
  await openMap(page);
  await drag(page);
  await page.waitForURL((url) => url.searchParams.has("bbox"));
  await agreedCount(page);

  await map(page).getByRole("checkbox", { name: "Search as I move" }).uncheck();
  const from = page.url();
  await drag(page);
  const here = map(page).getByRole("button", { name: "Search this area" });
  await here.waitFor();
  expect(page.url()).toBe(from);
  await here.click();
  await changed(page, from);
  await agreedCount(page);
  await here.waitFor({ state: "hidden" });
});

test("after the map is dragged its markers respond to keys", async () => {
  const page = await visitor();
  await openMap(page);
  await drag(page);
  await page.waitForURL((url) => url.searchParams.has("bbox"));
  await agreedCount(page);
  await settled(page);
  const from = page.url();
  await markers(page).locator("[data-marker]").first().press("Enter");
  // It zooms into a cluster, or opens the card of a home.
  await Promise.race([changed(page, from), map(page).getByRole("dialog").waitFor()]);
});

test("pinching out zooms in, and pinching in zooms out", async () => {
  const page = await visitor({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    // Otherwise the map keeps moving after the gesture, by a distance that depends on the frame rate.
    reducedMotion: "reduce",
  });
  await openMap(page);
  const { x, y } = await middle(page);
  const devtools = await page.context().newCDPSession(page);
  const fingers = (type: "touchStart" | "touchMove" | "touchEnd", ...apart: number[]) =>
    devtools.send("Input.dispatchTouchEvent", {
      type,
      touchPoints: apart.flatMap((distance) => [
        { x: x - distance / 2, y, id: 1 },
        { x: x + distance / 2, y, id: 2 },
      ]),
    });
  const pinch = async (from: number, to: number) => {
    const address = page.url();
    await fingers("touchStart", from);
    await fingers("touchMove", (from + to) / 2);
    await fingers("touchMove", to);
    await fingers("touchEnd");
    await changed(page, address);
    const [west = 0, , east = 0] = degrees(parameter(page, "bbox"));
    await agreedCount(page);
    await settled(page);
    return east - west;
  };
  const near = await pinch(80, 160);
  const nearer = await pinch(80, 160);
  expect(nearer / near).toBeGreaterThan(0.4);
  expect(nearer / near).toBeLessThan(0.6);
  expect((await pinch(160, 80)) / nearer).toBeGreaterThan(1.6);
});

test("the wheel scrolls the page until the map is focused", async () => {
  const page = await visitor({ viewport: { width: 1280, height: 700 } });
  await openMap(page);
  const { x, y } = await middle(page);
  await page.mouse.move(x, y);
  await page.mouse.wheel(0, 120);
  await page.waitForFunction(() => scrollY > 0);
  await map(page).getByText("Hold Ctrl").waitFor({ state: "attached" });
  expect(parameter(page, "bbox")).toBeNull();

  await surface(page).focus();
  await map(page).locator(".maplibregl-cooperative-gestures").waitFor({ state: "detached" });
  await page.mouse.wheel(0, -240);
  await page.waitForURL((url) => url.searchParams.has("bbox"));
});

test("a home's card and its marker on the map highlight each other", async () => {
  const page = await visitor({ viewport: { width: 1440, height: 900 } });
  await openMap(page);
  const card = page.getByRole("article").first();
  const lit = markers(page).locator("[data-marker][data-lit]");
  await card.getByRole("link").hover();
  await expect.poll(() => lit.count()).toBe(1);
  await page.mouse.move(5, 5);
  expect(await lit.count()).toBe(0);
  await card.getByRole("link").focus();
  await expect.poll(() => lit.count()).toBe(1);
  await surface(page).focus();

  // The position of the next home arrives when it is no longer hovered.
  const next = page.getByRole("article").nth(1);
  const asked = page.waitForRequest("**/api/properties/AH-*");
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route("**/api/properties/AH-*", async (route) => {
    await released;
    await route.continue();
  });
  await next.getByRole("link").hover();
  const request = await asked;
  await page.mouse.move(5, 5);
  release();
  await request.response();
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))),
  );
  expect(await lit.count()).toBe(0);
});

test("the filters beside the map are closed by the button that opened them", async () => {
  const page = await visitor({ viewport: { width: 2560, height: 1440 } });
  await openWhole(page, MAP);
  const panel = page.locator("#filters");
  const button = page.getByRole("main").getByRole("button", { name: "Filters", exact: true });
  await button.click();
  const houses = await hydrated(panel.getByRole("checkbox", { name: "Houses" }));
  await houses.check();
  await button.click();
  await panel.waitFor({ state: "hidden" });
});

test("filters that are opened while the map's list is loading stay open, with what is ticked", async () => {
  const page = await visitor();
  await openMap(page);
  const { promise: listed, resolve: release } = Promise.withResolvers<void>();
  const isList = /\/api\/properties\?.*bbox=/;
  await page.route(isList, async (route) => {
    await listed;
    await route.continue();
  });
  const asked = page.waitForRequest(isList);
  await surface(page).focus();
  await page.keyboard.press("+");
  await asked;
  await page.getByRole("main").getByRole("button", { name: "Filters", exact: true }).click();
  const pool = page.locator("#filters input[name=features][value=pool]");
  await pool.check();
  release();
  await page.waitForURL((url) => url.searchParams.has("bbox"));
  await agreedCount(page);
  expect(await pool.isVisible()).toBe(true);
  expect(await pool.isChecked()).toBe(true);
});

test("cards that the map is about to replace stay readable", async () => {
  for (const colorScheme of ["light", "dark"] as const) {
    const page = await visitor({ colorScheme, reducedMotion: "reduce" });
    await openMap(page);
    const answer = Promise.withResolvers<void>();
    await page.route("**/api/properties/map?*", async (route) => {
      await answer.promise;
      await route.continue();
    });
    await map(page).getByRole("button", { name: "Zoom in", exact: true }).click();
    await page.locator("[role=group][aria-busy=true]").waitFor();
    expect(await markers(page).getByRole("listitem").count()).toBeGreaterThan(0);
    expect(await axeFaults(page, { within: ".map-pane" })).toEqual([]);
    answer.resolve();
    await settled(page);
  }
});

test("the map is accessible, in both themes and while drawing", async () => {
  const page = await visitor({ reducedMotion: "reduce" });
  await openMap(page);
  const faults: unknown[] = [];
  for (const [width, colorScheme] of [
    [1440, "light"],
    [390, "dark"],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    await settled(page);
    for (const drawing of [false, true]) {
      if (drawing) {
        await map(page).getByRole("button", { name: "Draw an area" }).click();
        await map(page).getByRole("application", { name: "Draw an area" }).waitFor();
      }
      for (const fault of await axeFaults(page, { within: ".map-pane" })) {
        faults.push([width, drawing, ...fault]);
      }
    }
    await page.keyboard.press("Escape");
  }
  expect(faults).toEqual([]);
});

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/** Moves one finger from point to point. */
async function touch(page: Page, points: readonly (readonly [x: number, y: number])[]) {
  const devtools = await page.context().newCDPSession(page);
  const send = (type: "touchStart" | "touchMove" | "touchEnd", [x, y]: readonly number[] = []) =>
    devtools.send("Input.dispatchTouchEvent", {
      type,
      touchPoints: x === undefined || y === undefined ? [] : [{ x, y, id: 1 }],
    });
  const [first, ...rest] = points;
  await send("touchStart", first);
  for (const point of rest) await send("touchMove", point);
  await send("touchEnd");
}

test("a shared view of the map opens on a phone with exactly that area", async () => {
  const page = await visitor(PHONE);
  await openMap(page, `${MAP}&bbox=-4.1,36.7,-3.85,36.85`);
  const homes = await agreedCount(page);
  expect(parameter(page, "bbox")).toBe("-4.1,36.7,-3.85,36.85");
  // All results are visible, and nothing beside them: the map's edges are those of the box.
  expect(await visibleHomes(page)).toBe(homes);
  const box = await surface(page).boundingBox();
  const places = await markers(page)
    .locator("[data-marker]")
    .evaluateAll((all) =>
      all.map((marker) => marker.getBoundingClientRect().x + marker.clientWidth / 2),
    );
  expect(Math.min(...places)).toBeGreaterThanOrEqual(box?.x ?? 0);
  expect(Math.max(...places)).toBeLessThanOrEqual((box?.x ?? 0) + (box?.width ?? 0));
  // They are spread out, not clustered in the middle.
  expect(Math.max(...places) - Math.min(...places)).toBeGreaterThan((box?.width ?? 0) / 2);
});

test.each(["/property-for-sale", "/property-for-sale/nerja"])(
  "on a phone the map of %s scrolls into view when it is chosen, its homes about the middle",
  async (path) => {
    const page = await visitor(PHONE);
    await open(page, path);
    const choice = page.getByRole("navigation", { name: "Show as" });
    await choice.getByRole("link", { name: "Map" }).tap();
    await page.waitForURL("**view=map");
    const pane = page.locator(".map-pane");
    const header = (await page.getByRole("banner").boundingBox())?.height ?? 0;
    await expect.poll(async () => (await pane.boundingBox())?.y).toBeLessThan(844 / 2);
    const box = await pane.boundingBox();
    expect(box?.y).toBeGreaterThanOrEqual(header);
    expect((box?.y ?? 0) + (box?.height ?? 844)).toBeLessThanOrEqual(845);
    expect(await hasFocus(choice.getByRole("link", { name: "Map" }))).toBe(true);

    await interactive(page);
    await settled(page);
    const ground = await surface(page).boundingBox();
    const middles = async () =>
      markers(page)
        .locator("[data-marker]")
        .evaluateAll((all) =>
          all.map((marker) => {
            const { top, bottom } = marker.getBoundingClientRect();
            return (top + bottom) / 2;
          }),
        );
    // The distance between the middle of the homes and of the map, as a fraction of its height.
    const off = async () => {
      const all = await middles();
      if (!ground || all.length === 0) return 1;
      const middle = (Math.min(...all) + Math.max(...all)) / 2;
      return Math.abs(middle - ground.y - ground.height / 2) / ground.height;
    };
    await expect.poll(off).toBeLessThan(0.15);
  },
);

test.each(["sayalonga", "salares", "competa"])(
  "on the smallest phone no home of %s is under a button of the map",
  async (place) => {
    const page = await visitor({ ...PHONE, viewport: { width: 320, height: 640 } });
    await openMap(page, `/property-for-sale/${place}?view=map`);
    await surface(page).evaluate((ground) => ground.scrollIntoView({ block: "end" }));
    const covered = () =>
      markers(page)
        .locator("[data-marker]")
        .evaluateAll((all) =>
          all.flatMap((marker) => {
            const { x, y, width, height } = marker.getBoundingClientRect();
            const over = document.elementFromPoint(x + width / 2, y + height / 2);
            // Another home may cover it: then the map can be zoomed in.
            return over?.closest("[data-marker]") ? [] : [marker.textContent];
          }),
        );
    await expect.poll(covered).toEqual([]);
  },
);

test("a map opened by its link starts at the top of the page, with its homes above the fold", async () => {
  for (const javaScriptEnabled of [true, false]) {
    const page = await visitor({ ...PHONE, javaScriptEnabled });
    await page.goto(MAP, { waitUntil: "domcontentloaded" });
    if (javaScriptEnabled) await interactive(page);
    const homes = markers(page).locator("a, button");
    await homes.first().waitFor();
    expect(await page.evaluate(() => scrollY)).toBe(0);
    const tops = await homes.evaluateAll((all) =>
      all.map((marker) => marker.getBoundingClientRect().top),
    );
    expect(Math.min(...tops)).toBeLessThan(844);
  }
});

test("a finger scrolls the page over the map until the map is tapped", async () => {
  const page = await visitor(PHONE);
  await openMap(page);
  const { x, y } = await middle(page);
  const up = [0, -40, -80, -120, -160].map((by) => [x, y + by] as const);
  await touch(page, up);
  await page.waitForFunction(() => scrollY > 0);
  expect(parameter(page, "bbox")).toBeNull();

  // A new visitor, since the page would restore its scroll position.
  const other = await visitor(PHONE);
  await openMap(other);
  await other.touchscreen.tap(40, y);
  await map(other).locator(".maplibregl-cooperative-gestures").waitFor({ state: "detached" });
  await touch(other, up);
  await other.waitForURL((url) => url.searchParams.has("bbox"));
});

test("an area is drawn on a phone with one finger, its homes visible and its buttons reachable", async () => {
  const page = await visitor(PHONE);
  await openMap(page);
  const all = await agreedCount(page);
  await map(page).getByRole("button", { name: "Draw an area" }).tap();
  const sheet = map(page).getByRole("application", { name: "Draw an area" });
  await takesKeys(sheet);
  await map(page).getByText("with a finger").waitFor();
  expect(await map(page).getByText("Backspace").isVisible()).toBe(false);
  expect(await page.locator("[data-marker]").first().isVisible()).toBe(true);
  await expect
    .poll(async () => {
      const cancel = await map(page).getByRole("button", { name: "Cancel" }).boundingBox();
      return (cancel?.y ?? 844) + (cancel?.height ?? 0);
    })
    .toBeLessThan(844);
  const { x, y } = await middle(page);
  const round = Array.from({ length: 41 }, (_, step) => {
    const turn = (step / 40) * 2 * Math.PI;
    return [x + 90 * Math.cos(turn), y - 40 + 90 * Math.sin(turn)] as const;
  });
  await touch(page, round);
  await page.waitForURL((url) => url.searchParams.has("area"));
  expect(await agreedCount(page)).toBeLessThan(all);
});

test("a tap near the first corner closes the area and searches in it", async () => {
  const page = await visitor(PHONE);
  await openMap(page);
  await map(page).getByRole("button", { name: "Draw an area" }).tap();
  await takesKeys(map(page).getByRole("application", { name: "Draw an area" }));
  const { x, y } = await middle(page);
  const corners = [
    [-80, -100],
    [80, -100],
    [0, 20],
  ] as const;
  for (const [index, [right, down]] of corners.entries()) {
    await page.touchscreen.tap(x + right, y + down);
    await told(page)
      .getByText(`Corner ${index + 1}: `)
      .waitFor();
  }
  await page.touchscreen.tap(x - 80 + 9, y - 100 + 8);
  await page.waitForURL((url) => url.searchParams.has("area"));
  expect(parameter(page, "area")?.split(";")).toHaveLength(3);
});

test("a search without results keeps the map and says so on it", async () => {
  const page = await visitor(PHONE);
  await open(page, `${MAP}&bbox=-4.6,36.3,-4.5,36.35`);
  await interactive(page);
  await map(page).getByText("No matches here.").waitFor();
  expect(await surface(page).isVisible()).toBe(true);
  await map(page).getByRole("button", { name: "Search everywhere" }).press("Enter");
  await page.waitForURL((url) => !url.searchParams.has("bbox"));
  expect(await agreedCount(page)).toBeGreaterThan(0);
  expect(await hasFocus(surface(page))).toBe(true);
});

test("a pin opens a card on the map, which Escape closes and which links to the home", async () => {
  const page = await visitor();
  await openMap(page);
  const pin = markers(page).getByRole("link").first();
  const ref = (await pin.getAttribute("data-ref")) ?? "";
  await pin.click();
  const card = map(page).getByRole("dialog");
  await card.getByRole("img").waitFor();
  await card.getByText(/€/).waitFor();
  await page.keyboard.press("Escape");
  await card.waitFor({ state: "detached" });
  expect(await hasFocus(pin)).toBe(true);

  await pin.press("Enter");
  await card.waitFor();
  const { x, y } = await middle(page);
  const corner = await surface(page).boundingBox();
  await page.mouse.click((corner?.x ?? x) + 20, y);
  await card.waitFor({ state: "detached" });

  await pin.click();
  const heart = card.getByRole("button", { name: `Favourite: ${ref}` });
  await heart.click();
  await expect.poll(() => heart.getAttribute("aria-pressed")).toBe("true");
  await expect.poll(() => pin.textContent()).toContain("one of your favourites");
  await page
    .getByRole("banner")
    .getByRole("link", { name: /Favourites\s*1/ })
    .waitFor();
  await card.getByRole("link").click();
  await page.waitForURL((url) => url.pathname.endsWith(`/${ref}`));
});

test("pins mark homes that were seen, and homes that the visitor has hidden", async () => {
  const page = await visitor();
  await openMap(page);
  const refs = await markers(page)
    .getByRole("link")
    .evaluateAll((pins) => pins.slice(0, 2).map((pin) => pin.getAttribute("data-ref") ?? ""));
  const [seen = "", hidden = ""] = refs;
  await page.evaluate(
    ([seen, hidden]) => {
      const at = new Date().toISOString();
      const homes = [
        { reference: seen, seenAt: at, changedAt: at },
        { reference: hidden, hidden: true, changedAt: at },
      ];
      localStorage.setItem("my-homes", JSON.stringify(homes));
    },
    [seen, hidden] as const,
  );
  await openMap(page);
  const words = (ref: string) => markers(page).locator(`[data-ref="${ref}"]`).textContent();
  await expect.poll(() => words(seen)).toMatch(/, seen before$/);
  await expect.poll(() => words(hidden)).toMatch(/, not for you$/);
  expect(await axeFaults(page)).toEqual([]);
});

test("without a script the map is a drawing with the homes as links", async () => {
  const page = await visitor({ javaScriptEnabled: false });
  await page.goto(MAP, READABLE);
  await map(page).locator("svg path").first().waitFor();
  const together = markers(page).getByRole("link", { name: /close together/ });
  expect(await together.count()).toBeGreaterThan(0);
  await together.first().click();
  await page.waitForURL((url) => url.searchParams.has("bbox"), READABLE);
  expect(await markers(page).getByRole("link").count()).toBeGreaterThan(0);
});

test("without WebGL the drawn map stays and says so", async () => {
  const page = await visitor();
  await page.addInitScript(() => {
    HTMLCanvasElement.prototype.getContext = () => null;
  });
  await open(page, MAP);
  await told(page).getByText("can’t show the interactive map").waitFor();
  expect(await markers(page).getByRole("link").count()).toBeGreaterThan(0);
});

test("a map whose script could not be loaded says so, and is tried again by its button", async () => {
  const page = await visitor();
  const script = /\/assets\/engine-[^/]*\.js/;
  await page.route(script, (route) => route.abort("failed"));
  // The page has just been reloaded for it.
  await page.addInitScript(() => sessionStorage.setItem("reloaded-at", String(Date.now())));
  await open(page, MAP);
  await told(page).getByText("The interactive map hasn’t loaded.").waitFor();
  expect(await markers(page).getByRole("link").count()).toBeGreaterThan(0);
  await page.unroute(script);
  await map(page).getByRole("button", { name: "Try again" }).click();
  await interactive(page);
  await page.context().close();
  expectFaults(script);
});
