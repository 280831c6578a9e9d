import type { Locator, Page } from "playwright-core";
import { PNG } from "pngjs";
import { expect, test } from "vitest";
import { anyProperty, hydrated, open, visitor } from "./site.ts";

/** The maximum distance of a focus ring from the element's edge, in pixels. */
const DEPTH = 6;
/** The minimum contrast between a ring and its background (WCAG 1.4.11). */
const MIN_CONTRAST = 3;

/** Returns a picture of a single gray. */
function plain(shade: number): Buffer {
  const png = new PNG({ width: 4, height: 3 });
  png.data.fill(shade);
  for (let at = 3; at < png.data.length; at += 4) png.data[at] = 255;
  return PNG.sync.write(png);
}

/** Returns the relative luminance of a pixel. */
function luminance({ data, width }: PNG, [x, y]: readonly [number, number]): number {
  const [red = 0, green = 0, blue = 0] = [0, 1, 2].map((channel) => {
    const value = (data[(y * width + x) * 4 + channel] ?? 0) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Returns lines of pixels from the middle of each edge inwards. */
function edges({ width, height }: PNG): [number, number][][] {
  const [x, y] = [Math.floor(width / 2), Math.floor(height / 2)];
  const line = (at: (depth: number) => [number, number]) =>
    Array.from({ length: DEPTH }, (_, depth) => at(depth));
  return [
    line((depth) => [x, depth]),
    line((depth) => [x, height - 1 - depth]),
    line((depth) => [depth, y]),
    line((depth) => [width - 1 - depth, y]),
  ];
}

async function picture(part: Locator): Promise<PNG> {
  return PNG.sync.read(await part.screenshot({ animations: "disabled" }));
}

/** Returns the lowest contrast over all edges between the focused and the unfocused element. */
async function contrastOfFocus(page: Page, part: Locator): Promise<number> {
  await page.mouse.move(0, 0);
  await part.scrollIntoViewIfNeeded();
  const before = await picture(part);
  // So that the browser shows the keyboard focus.
  await page.keyboard.press("Tab");
  await part.focus();
  const after = await picture(part);
  const differences = edges(before).map((line) =>
    Math.max(
      ...line.map((pixel) => {
        const [low = 0, high = 0] = [luminance(before, pixel), luminance(after, pixel)].sort(
          (a, b) => a - b,
        );
        return (high + 0.05) / (low + 0.05);
      }),
    ),
  );
  return Math.min(...differences);
}

test.each(["light", "dark"] as const)(
  "the focus ring is visible on a photograph of any brightness, in %s",
  async (colorScheme) => {
    const { path } = await anyProperty();
    for (const shade of [0, 255]) {
      const page = await visitor({ colorScheme, reducedMotion: "reduce" });
      await page.route("**/media/**", (route) =>
        route.fulfill({ contentType: "image/png", body: plain(shade) }),
      );
      const isShown = (image: Locator) =>
        expect
          // `naturalWidth` takes the screen's density into account, so it may be less than the file's width.
          .poll(() => image.evaluate(({ naturalWidth }: HTMLImageElement) => naturalWidth))
          .toSatisfy((width: number) => width > 0 && width <= 4);

      await open(page, path);
      const tile = page.locator(".mosaic button").first();
      await isShown(tile.locator("img"));
      expect(await contrastOfFocus(page, tile)).toBeGreaterThanOrEqual(MIN_CONTRAST);

      await open(page, "/property-for-sale");
      const card = page.locator("article:has(.card-photo img)").first();
      await isShown(card.locator(".card-photo img"));
      const tool = await hydrated(card.locator(".card-tool").first());
      expect(await contrastOfFocus(page, tool)).toBeGreaterThanOrEqual(MIN_CONTRAST);
    }
  },
);
