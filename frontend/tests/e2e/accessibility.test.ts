import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { spanish } from "./addresses.ts";
import { EVERY_LOOK, faults, WIDTHS } from "./axe.ts";
import { anyProperty, open, visitor, withoutPhotographs } from "./site.ts";

async function reader(): Promise<Page> {
  // Without transitions: axe would check colours halfway between the themes.
  const page = await visitor({ reducedMotion: "reduce" });
  await withoutPhotographs(page);
  return page;
}

const looksAt = (widths: readonly number[]) =>
  EVERY_LOOK.filter(([width]) => widths.includes(width));

/** The parts that open on a page, with the path, the widths and the element to press. */
const OPENED: Record<string, [path: string, widths: readonly number[], press: string]> = {
  "the menu": ["/", [390], "button[popovertarget=menu]"],
  "the filters": ["/property-for-sale", [390], "button[popovertarget=filters]"],
  "the filters over a map": [
    "/property-for-sale?kind=villa&view=map",
    [1440],
    "button[popovertarget=filters]",
  ],
  "the list of guides": ["/docs/buying", [390], "button[popovertarget=doc-menu]"],
  "a way to share": ["home", WIDTHS, "button[popovertarget=share]"],
  "the photographs": ["home", WIDTHS, "button[popovertarget=photos]"],
};

describe.each([
  ["English", (path: string) => path],
  ["Spanish", spanish],
])("in %s", (_, translated) => {
  test.each(Object.entries(OPENED))("%s: accessible", async (_, [path, widths, press]) => {
    const page = await reader();
    await page.setViewportSize({ width: widths[0] ?? 390, height: 900 });
    await open(page, translated(path === "home" ? (await anyProperty()).path : path));
    await page.locator(`${press}:visible`).first().click();
    await page.locator(":popover-open, [role=dialog], aside details[open]").first().waitFor();
    expect(await faults(page, looksAt(widths))).toEqual([]);
  });

  test("a header's menu: accessible", async () => {
    const page = await reader();
    await page.setViewportSize({ width: 1440, height: 900 });
    await open(page, translated("/"));
    await page.locator("header summary").first().press("Enter");
    await page.locator("header details[open]").waitFor();
    expect(await faults(page, looksAt([1440]))).toEqual([]);
  });

  test("the search suggestions: accessible", async () => {
    const page = await reader();
    await open(page, translated("/"));
    await page.locator("input[name=q]").focus();
    await page.locator("input[name=q][role=combobox]").waitFor();
    await page.keyboard.type("ner");
    await page.getByRole("option").first().waitFor();
    expect(await faults(page)).toEqual([]);
  });
});
