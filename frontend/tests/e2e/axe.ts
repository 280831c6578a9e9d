import axe from "axe-core";
import type { Page } from "playwright-core";

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
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
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
