import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { everyTemplate, spanish } from "./addresses.ts";
import { anyProperty, open, visitor } from "./site.ts";

const WIDTHS = [1440, 390] as const;
/** Two pages share the work: as many as a small machine has cores. */
const AT_ONCE = 2;
/** What is looked at here is not in the photographs, and they take longest. */
const PIXEL = Buffer.from("R0lGODlhAQABAAAAACwAAAAAAQABAAA=", "base64");

async function reader(): Promise<Page> {
  // Colours that are on their way from one theme to the other are no colours of ours.
  const page = await visitor({ reducedMotion: "reduce" });
  await page.route("**/media/**", (route) =>
    route.fulfill({ contentType: "image/gif", body: PIXEL }),
  );
  return page;
}

/** The faults of access of what a page shows, at both widths and in both colours. */
async function faults(page: Page, widths: readonly number[] = WIDTHS): Promise<unknown[]> {
  const found: unknown[] = [];
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      const axe = new AxeBuilder({ page }).setLegacyMode();
      // The other colours change nothing but the colours.
      if (colorScheme === "dark") axe.withTags("cat.color");
      const { violations } = await axe.analyze();
      for (const { id, nodes } of violations) {
        found.push([page.url(), width, colorScheme, id, nodes.slice(0, 3).map(({ html }) => html)]);
      }
    }
  }
  return found;
}

/** How far a page goes beyond the screen: narrow, as at 400 % of a large one, and in large letters. */
async function beyond(page: Page): Promise<unknown[]> {
  const found: unknown[] = [];
  for (const [width, letters] of [
    [320, "100%"],
    [768, "100%"],
    [1280, "200%"],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    const pixels = await page.evaluate((size) => {
      const { documentElement: html } = document;
      html.style.fontSize = size;
      const wide = html.scrollWidth - html.clientWidth;
      html.style.fontSize = "";
      return wide;
    }, letters);
    if (pixels > 0) found.push([page.url(), width, letters, pixels]);
  }
  return found;
}

const templates = await everyTemplate();

test("no route is left out", () => {
  expect(templates.filter(([, addresses]) => addresses.length === 0)).toEqual([]);
});

describe.each(templates)("%s", (_, addresses) => {
  test("is open to everybody, in both languages and colours, on a telephone and a desk", async () => {
    const waiting = addresses.flatMap((each) => [each, spanish(each)]);
    const found: unknown[] = [];
    const read = async (page: Page) => {
      for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
        await open(page, path);
        found.push(...(await faults(page)), ...(await beyond(page)));
      }
    };
    const readers = await Promise.all(Array.from({ length: AT_ONCE }, reader));
    await Promise.all(readers.map(read));
    expect(found).toEqual([]);
  }, 300_000);
});

/** What opens on a page, and who opens it. */
const OPENED: Record<string, [path: string, widths: readonly number[], press: string]> = {
  "the menu": ["/", [390], "button[popovertarget=menu]"],
  "the filters": ["/es/property-for-sale", [390], "button[popovertarget=filters]"],
  "the list of guides": ["/docs/buying", [390], "button[popovertarget=doc-menu]"],
  "a way to share": ["home", WIDTHS, "button[popovertarget=share]"],
  "a message of one's own": ["home", WIDTHS, "aside summary"],
  "the photographs": ["home", WIDTHS, "button[popovertarget=photos]"],
};

test.each(Object.entries(OPENED))("%s: open to everybody", async (_, [path, widths, press]) => {
  const page = await reader();
  await page.setViewportSize({ width: widths[0] ?? 390, height: 900 });
  await open(page, path === "home" ? (await anyProperty()).path : path);
  await page.locator(press).first().click();
  await page.locator(":popover-open, dialog[open], aside details[open]").first().waitFor();
  expect(await faults(page, widths)).toEqual([]);
});

test("a header's menu: open to everybody", async () => {
  const page = await reader();
  await page.setViewportSize({ width: 1440, height: 900 });
  await open(page, "/es");
  await page.locator("header summary").first().press("Enter");
  await page.locator("header details[open]").waitFor();
  expect(await faults(page, [1440])).toEqual([]);
});
