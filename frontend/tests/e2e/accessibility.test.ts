import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { everyTemplate, examples, spanish } from "./addresses.ts";
import { EVERY_LOOK, faults, type Look, WIDTHS } from "./axe.ts";
import { anyProperty, open, visitor } from "./site.ts";

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

/** On a telephone the map takes the place of the list; on a desk it stands beside it. */
const MAP = "/property-for-sale?view=map";

const looksAt = (widths: readonly number[]) =>
  EVERY_LOOK.filter(([width]) => widths.includes(width));

const templates = await everyTemplate();
const kinds = new Set(await examples());

test("no route is left out", () => {
  expect(templates.filter(([, addresses]) => addresses.length === 0)).toEqual([]);
});

describe.each(templates)("%s", (_, addresses) => {
  test("is open to everybody, in both languages and colours, on a telephone and a desk", async () => {
    // Each route is looked at in every way, and each other kind of its pages in both languages, colours
    // and widths. What editors wrote is looked at once in each language. What lists say of one place or
    // another comes from the same parts: their kinds stand for all.
    const waiting = addresses.flatMap((path, index) => {
      const looked = (english: readonly Look[], translated = english) => [
        { path, looks: english },
        { path: spanish(path), looks: translated },
      ];
      if (index === 0) return looked(EVERY_LOOK);
      const [desk, telephone] = [looksAt([1440]), looksAt([390])];
      if (path === MAP) return looked([...desk, [390, "light"]], [...telephone, [1440, "light"]]);
      if (kinds.has(path)) return looked(desk, telephone);
      if (path.startsWith("/property-for-sale")) return [];
      return looked([[1440, "light"]], [[390, "dark"]]);
    });
    const found: unknown[] = [];
    const read = async (page: Page) => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        await open(page, next.path);
        found.push(...(await faults(page, next.looks)));
      }
    };
    const readers = await Promise.all(Array.from({ length: AT_ONCE }, reader));
    await Promise.all(readers.map(read));
    expect(found).toEqual([]);
  }, 600_000);
});

/** What opens on a page, and who opens it. */
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
  test.each(Object.entries(OPENED))("%s: open to everybody", async (_, [path, widths, press]) => {
    const page = await reader();
    await page.setViewportSize({ width: widths[0] ?? 390, height: 900 });
    await open(page, translated(path === "home" ? (await anyProperty()).path : path));
    await page.locator(`${press}:visible`).first().click();
    await page.locator(":popover-open, [role=dialog], aside details[open]").first().waitFor();
    expect(await faults(page, looksAt(widths))).toEqual([]);
  });

  test("a header's menu: open to everybody", async () => {
    const page = await reader();
    await page.setViewportSize({ width: 1440, height: 900 });
    await open(page, translated("/"));
    await page.locator("header summary").first().press("Enter");
    await page.locator("header details[open]").waitFor();
    expect(await faults(page, looksAt([1440]))).toEqual([]);
  });

  test("what completes the words: open to everybody", async () => {
    const page = await reader();
    await open(page, translated("/"));
    await page.locator("input[name=q]").focus();
    await page.locator("input[name=q][role=combobox]").waitFor();
    await page.keyboard.type("ner");
    await page.getByRole("option").first().waitFor();
    expect(await faults(page)).toEqual([]);
  });
});
