import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type axe from "axe-core";
import type { Page } from "playwright-core";

/** The minified build, since it is sent to the browser for each page. */
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

export const WIDTHS = [1440, 390] as const;

interface Scope {
  /** A selector of the part of the page to check. */
  readonly within?: string;
  /** Checks only colours, for a page that was already checked in other colours. */
  readonly coloursOnly?: boolean;
}

/** A rule of axe that a page breaks, and the first elements that do. */
type Fault = readonly [rule: string, elements: readonly string[]];

/** Returns the accessibility faults that axe finds on a page. */
export async function axeFaults(page: Page, scope: Scope = {}): Promise<Fault[]> {
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
  }, scope);
}

/** A width and a colour scheme in which a page is checked. */
export type Look = readonly [width: number, colorScheme: "light" | "dark"];

export const EVERY_LOOK: readonly Look[] = WIDTHS.flatMap((width) => [
  [width, "light"] as const,
  [width, "dark"] as const,
]);

/** Returns the accessibility faults of a page or a part of it, for each width and colour scheme. */
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
    // The other colour scheme at the same width changes only the colours.
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
