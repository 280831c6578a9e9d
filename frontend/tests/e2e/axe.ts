import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type axe from "axe-core";
import type { Page } from "playwright-core";

/** In its short form: it goes to the browser anew for each page. */
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

export const WIDTHS = [1440, 390] as const;

interface Looked {
  /** The part of the page that is looked at, as a selector. */
  readonly within?: string;
  /** For a page that was looked at already, in other colours. */
  readonly coloursOnly?: boolean;
}

/** A rule of axe that a page breaks, and the first elements that do. */
type Fault = readonly [rule: string, elements: readonly string[]];

/** The faults of access that axe finds in what a page shows. */
export async function axeFaults(page: Page, looked: Looked = {}): Promise<Fault[]> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(AXE);
  return page.evaluate(async ({ within, coloursOnly }) => {
    const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(
      within ?? document,
      {
        resultTypes: ["violations"],
        preload: false,
        ...(coloursOnly ? { runOnly: { type: "tag", values: ["cat.color"] } } : {}),
      },
    );
    return violations.map(
      ({ id, nodes }) => [id, nodes.slice(0, 3).map(({ html }) => html)] as const,
    );
  }, looked);
}

/** How a page is looked at. */
export type Look = readonly [width: number, colorScheme: "light" | "dark"];

export const EVERY_LOOK: readonly Look[] = WIDTHS.flatMap((width) => [
  [width, "light"] as const,
  [width, "dark"] as const,
]);

/** The faults of access of what a page shows (or a part of it), on each width and in each colour. */
export async function faults(
  page: Page,
  looks: readonly Look[] = EVERY_LOOK,
  within?: string,
): Promise<unknown[]> {
  const found: unknown[] = [];
  let full: number | undefined;
  for (const [width, colorScheme] of looks) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    // The other colours of a width change nothing but the colours.
    for (const fault of await axeFaults(page, {
      coloursOnly: width === full,
      ...(within ? { within } : {}),
    })) {
      found.push([page.url(), width, colorScheme, ...fault]);
    }
    full = width;
  }
  return found;
}
