import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { basename, dirname } from "node:path";
import pixelmatch from "pixelmatch";
import type { Locator } from "playwright-core";
import { PNG } from "pngjs";
import { expect } from "vitest";

/** The share of pixels that may differ: Chromium versions render the edges of letters differently. */
const MAX_DIFFERENT = 0.003;
/** The difference from which a pixel counts as different, from 0 to 1. */
const THRESHOLD = 0.2;

/**
 * Compares a screenshot of a part with its picture in `tests/e2e/pictures`; `UPDATE_PICTURES=1` replaces
 * the picture. Photographs are hidden, since the newest homes vary. A differing screenshot is saved in
 * `build-catalogue/pictures`.
 */
export async function looksLike(name: string, part: Locator): Promise<void> {
  await part.page().evaluate(() => document.fonts.ready);
  const photographs = (visibility: "hidden" | "") =>
    part.locator("picture, img").evaluateAll((found, value) => {
      for (const each of found as HTMLElement[]) each.style.visibility = value;
    }, visibility);
  await photographs("hidden");
  await onWholePixel(part);
  const seen = await part.screenshot({ animations: "disabled", caret: "hide" });
  await photographs("");
  const file = new URL(`pictures/${name}.png`, import.meta.url).pathname;
  if (process.env.UPDATE_PICTURES === "1") return write(file, seen);
  const elsewhere = new URL(`../../build-catalogue/pictures/${basename(file)}`, import.meta.url)
    .pathname;
  expect(existsSync(file), `${name} has no picture: UPDATE_PICTURES=1 takes it`).toBe(true);
  const share = difference(PNG.sync.read(await readFile(file)), PNG.sync.read(seen));
  if (share > MAX_DIFFERENT) await write(elsewhere, seen);
  expect(share, `${name} looks otherwise: see ${elsewhere}`).toBeLessThanOrEqual(MAX_DIFFERENT);
}

/**
 * Moves `part` to a whole pixel. Otherwise the content above it determines the fraction of a pixel at which
 * it starts, and so its rounded height. Overlays have nothing above them.
 */
async function onWholePixel(part: Locator): Promise<void> {
  await part.evaluate((element) => {
    if (element.closest("dialog, [popover], [role=dialog]")) return;
    const top = element.getBoundingClientRect().top + scrollY;
    const margin = Number.parseFloat(getComputedStyle(element).marginTop);
    (element as HTMLElement).style.marginTop = `${margin + Math.ceil(top) - top}px`;
  });
}

/** Returns the share of pixels in which two pictures differ; 1 if their sizes differ. */
function difference(known: PNG, seen: PNG): number {
  const { width, height } = known;
  if (width !== seen.width || height !== seen.height) return 1;
  const options = { threshold: THRESHOLD };
  return pixelmatch(known.data, seen.data, undefined, width, height, options) / (width * height);
}

async function write(file: string, content: Buffer): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, content);
}
