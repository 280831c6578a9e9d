import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { worldSize } from "../../app/lib/map/projection.ts";
import { expectFaults } from "./site.ts";
import { editor, STUDIO, shot } from "./studio.ts";

/**
 * The map in the Studio's form, in a real Directus. `almijara/tests/system/map_pin.rs` names the home that is
 * moved, which is published and has no draft yet.
 */
const ITEM = process.env.MAP_ITEM ?? "";
/** The home's position at first, and the zoom of the map around it. */
const START = { lat: 36.749, lng: -3.872 };
const ZOOM = 13;
const DEGREES_PER_PIXEL = 360 / worldSize(ZOOM);
/** Decimal digits with a precision below a pixel. */
const DIGITS = 3;

const map = (page: Page) => page.getByRole("application");
const field = (page: Page, name: string) => page.locator(`.field[data-field=${name}] input`);
const coordinates = (page: Page) => page.getByRole("textbox", { name: "Latitude, longitude" });
const told = (page: Page) =>
  page.locator(".field[data-field=map]").getByRole("status").textContent();

/** Returns the values of the two fields beside the map. */
async function values(page: Page): Promise<{ lat: number; lng: number }> {
  const read = async (name: string) => Number(await field(page, name).inputValue());
  return { lat: await read("lat"), lng: await read("lng") };
}

async function pasted(page: Page, text: string): Promise<void> {
  await map(page).evaluate((element, data) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text", data);
    element.dispatchEvent(new ClipboardEvent("paste", { clipboardData, cancelable: true }));
  }, text);
}

/**
 * Holds the first save of the draft back until `letGo` is called. After the save, the Studio reads the item
 * again and forgets what was set meanwhile; it has done so once the promise of `letGo` resolves.
 */
async function firstSaveHeld(page: Page): Promise<{ letGo: () => Promise<void> }> {
  const { promise: go, resolve } = Promise.withResolvers<void>();
  await page.route(
    "**/versions/*/save",
    async (route) => {
      await go;
      await route.continue();
    },
    { times: 1 },
  );
  return {
    async letGo() {
      const saved = page.waitForResponse("**/versions/*/save");
      const reread = saved.then(() =>
        page.waitForResponse((response) => {
          const { pathname, searchParams } = new URL(response.url());
          const isItem = pathname === `/items/properties/${ITEM}`;
          return isItem && searchParams.get("version") === "draft";
        }),
      );
      resolve();
      await reread;
    },
  };
}

test.runIf(ITEM !== "")("an editor moves a home by its pin, and publishes it", async () => {
  const page = await editor();
  const outside: string[] = [];
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (/^http/.test(url.protocol) && url.hostname !== new URL(STUDIO).hostname) {
      outside.push(request.url());
    }
  });
  await page.goto(`${STUDIO}/admin/content/properties/${ITEM}`);
  await page.getByRole("button", { name: "On the map" }).click();
  await map(page).waitFor();
  await expect.poll(() => told(page)).toContain("Nerja");
  await map(page).scrollIntoViewIfNeeded();
  await shot(page, "19-map-found");

  // A press turns the published item into a draft, with both values. Another press comes before it is saved.
  const held = await firstSaveHeld(page);
  const { width, height } = (await map(page).boundingBox()) ?? { width: 0, height: 0 };
  await map(page).click({ position: { x: width / 2 + 100, y: height / 2 } });
  await page.waitForURL(/version=draft/);
  await expect
    .poll(async () => (await values(page)).lng)
    .toBeCloseTo(START.lng + 100 * DEGREES_PER_PIXEL, DIGITS);
  await map(page).click({ position: { x: width / 2 + 100, y: height / 2 - 60 } });
  const isNorth = async () => (await values(page)).lat > START.lat + 0.005;
  await expect.poll(isNorth).toBe(true);
  await held.letGo();
  await expect.poll(isNorth).toBe(true);

  // Arrow keys move the pin, with Shift ten times as far; plus zooms.
  const before = await values(page);
  await map(page).focus();
  await page.keyboard.press("ArrowLeft");
  await expect
    .poll(async () => (await values(page)).lng)
    .toBeCloseTo(before.lng - 3 * DEGREES_PER_PIXEL, 6);
  await page.keyboard.press("Shift+ArrowLeft");
  await expect
    .poll(async () => (await values(page)).lng)
    .toBeCloseTo(before.lng - 33 * DEGREES_PER_PIXEL, 6);
  expect((await values(page)).lat).toBeCloseTo(before.lat, 5);
  await page.keyboard.press("+");
  await shot(page, "20-map-keys");

  // Dragging the pin moves it; dragging beside it moves the map and sets nothing.
  const pin = page.locator("[data-pin]");
  const from = await values(page);
  await drag(page, await middleOf(pin), { right: 80, down: 0 });
  await expect
    .poll(async () => (await values(page)).lng)
    .toBeCloseTo(from.lng + (80 * DEGREES_PER_PIXEL) / 2, DIGITS + 1);
  const dropped = await values(page);
  const { x, y } = (await map(page).boundingBox()) ?? { x: 0, y: 0 };
  await drag(page, { x: x + 60, y: y + 60 }, { right: 90, down: 40 });
  expect(await values(page)).toEqual(dropped);

  // An invalid value is reported beside the map and by the field's rule.
  await field(page, "lat").fill("999");
  await expect.poll(() => told(page)).toContain("no number from −90 to 90");
  expect(await pin.count()).toBe(0);
  await pasted(page, "Nerja");
  await expect.poll(() => told(page)).toContain("These are no coordinates");
  await shot(page, "21-map-refused");
  await pasted(page, "36,7600; −3,8800");
  await expect.poll(() => values(page)).toEqual({ lat: 36.76, lng: -3.88 });

  // The pin is removed, and set again at the home's place.
  await page.getByRole("button", { name: "Remove the pin" }).click();
  await expect.poll(() => told(page)).toContain("No pin is set");
  expect(await field(page, "lat").inputValue()).toBe("");
  await page.getByRole("button", { name: "Put it at Nerja" }).click();
  await expect.poll(() => told(page)).toContain("At Nerja");

  await coordinates(page).fill("36.7612, -3.8765");
  await coordinates(page).press("Enter");
  await expect.poll(() => values(page)).toEqual({ lat: 36.7612, lng: -3.8765 });
  await page
    .getByRole("button", { name: /^Publish/ })
    .first()
    .click();
  await page.getByText("2 Differences").waitFor();
  await shot(page, "22-map-compared");
  await page.getByRole("button", { name: "Apply" }).click();
  const published = async () => {
    const path = `${STUDIO}/items/properties/${ITEM}?fields=lat,lng`;
    return (await (await page.context().request.get(path)).json()).data;
  };
  await expect.poll(published).toEqual({ lat: "36.761200", lng: "-3.876500" });
  expect(outside).toEqual([]);
  expectFaults(/^(?!uncaught)/, 0);
});

async function middleOf(element: ReturnType<Page["locator"]>): Promise<{ x: number; y: number }> {
  const box = await element.boundingBox();
  if (!box) throw new Error("it is not shown");
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

async function drag(
  page: Page,
  { x, y }: { x: number; y: number },
  { right, down }: { right: number; down: number },
): Promise<void> {
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + right / 2, y + down / 2);
  await page.mouse.move(x + right, y + down);
  await page.mouse.up();
}
