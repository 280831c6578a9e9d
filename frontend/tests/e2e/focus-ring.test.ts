import type { Locator, Page } from "playwright-core";
import { PNG } from "pngjs";
import { expect, test } from "vitest";
import { anyProperty, hydrated, open, visitor } from "./site.ts";

/** How far in from its edge a part may have its ring, in pixels. */
const DEPTH = 6;
/** What a ring must differ by from what it lies on (WCAG 1.4.11). */
const MIN_CONTRAST = 3;

/** A picture of one gray. */
function plain(shade: number): Buffer {
  const png = new PNG({ width: 4, height: 3 });
  png.data.fill(shade);
  for (let at = 3; at < png.data.length; at += 4) png.data[at] = 255;
  return PNG.sync.write(png);
}

/** How bright a pixel is, as contrast counts it. */
function luminance({ data, width }: PNG, [x, y]: readonly [number, number]): number {
  const [red = 0, green = 0, blue = 0] = [0, 1, 2].map((channel) => {
    const value = (data[(y * width + x) * 4 + channel] ?? 0) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** From the middle of each of its edges inwards. */
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

/** The least that any edge of a part differs by once it has the focus. */
async function contrastOfFocus(page: Page, part: Locator): Promise<number> {
  await page.mouse.move(0, 0);
  await part.scrollIntoViewIfNeeded();
  const before = await picture(part);
  // As whoever goes by keys has it.
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
  "on a photograph of any colour it is seen what has the focus, in %s",
  async (colorScheme) => {
    const { path } = await anyProperty();
    for (const shade of [0, 255]) {
      const page = await visitor({ colorScheme, reducedMotion: "reduce" });
      await page.route("**/media/**", (route) =>
        route.fulfill({ contentType: "image/png", body: plain(shade) }),
      );
      const isShown = (image: Locator) =>
        expect
          // As wide as it is said to be for the screen, which may be less than it is.
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
