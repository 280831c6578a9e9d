import type { Page } from "playwright-core";

interface Screen {
  readonly width: number;
  readonly height: number;
  /** The browser's default font size, in pixels. */
  readonly letters: number;
}

const USUAL_LETTERS = 16;

export const PHONES: readonly Screen[] = [
  { width: 390, height: 844, letters: 32 },
  { width: 320, height: 640, letters: USUAL_LETTERS },
];

/** Phones, a large screen at 400 % (WCAG 1.4.10), and text at twice the size (1.4.4). */
export const SCREENS: readonly Screen[] = [
  ...PHONES,
  { width: 768, height: 1024, letters: USUAL_LETTERS },
  { width: 1280, height: 900, letters: 32 },
];

/**
 * Returns elements outside the window, and text that its box cuts off. Exceptions are parts that scroll
 * sideways by design (the pictures), maps, and text with an ellipsis that is complete elsewhere.
 */
function hidden(): string[] {
  const width = document.documentElement.clientWidth;
  const scrolls = (element: Element) => getComputedStyle(element).overflowX !== "visible";
  const found: string[] = [];
  for (const element of document.body.querySelectorAll("*")) {
    const { left, right, width: own, height } = element.getBoundingClientRect();
    const isBeside = right > width + 1 || left < -1;
    const isFuller = element.scrollWidth > element.clientWidth + 2;
    if (!isBeside && !isFuller) continue;
    const style = getComputedStyle(element);
    const text = element.textContent?.trim().slice(0, 40) ?? "";
    const seen = own > 1 && height > 1 && element.checkVisibility({ visibilityProperty: true });
    if (
      !seen ||
      text === "" ||
      element.closest(".sr-only, [aria-hidden=true], [data-drawn], .maplibregl-canvas-container")
    )
      continue;
    let within = element.parentElement;
    while (within && within !== document.body && !scrolls(within)) within = within.parentElement;
    const free = within === document.body || within === null;
    if (free && isBeside) found.push(`beside the window: ${text}`);
    const cuts = ["hidden", "clip"].includes(style.overflowX) && style.textOverflow !== "ellipsis";
    if (cuts && isFuller) found.push(`cut off: ${text}`);
  }
  return found;
}

/** Returns what is hidden of the page on each screen. */
export async function hiddenOn(page: Page, screens: readonly Screen[]): Promise<unknown[]> {
  const devtools = await page.context().newCDPSession(page);
  const lettersOf = (standard: number) =>
    devtools.send("Page.setFontSizes", { fontSizes: { standard } });
  const found: unknown[] = [];
  for (const { letters, ...viewport } of screens) {
    await page.setViewportSize(viewport);
    await lettersOf(letters);
    await page.evaluate(() => document.fonts.ready);
    const texts = await page.evaluate(hidden);
    if (texts.length > 0) found.push([page.url(), viewport.width, letters, ...texts]);
  }
  await lettersOf(USUAL_LETTERS);
  await devtools.detach();
  return found;
}
