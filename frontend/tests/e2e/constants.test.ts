import type { Locator } from "playwright-core";
import { expect, test } from "vitest";
import { listed, open, visitor } from "./site.ts";

/** Returns computed styles of an element. */
const styles = <Name extends string>(part: Locator, ...names: Name[]) =>
  part.evaluate((element, all) => {
    const computed = getComputedStyle(element);
    return all.map((name) => computed.getPropertyValue(name));
  }, names);

/** Returns the chroma and hue of a design token's colour. */
async function chroma(part: Locator, token: string): Promise<{ chroma: number; hue: number }> {
  const [, , strength = 0, hue = 0] =
    (await part.evaluate((element, name) => {
      const probe = element.ownerDocument.createElement("i");
      probe.style.color = `var(${name})`;
      element.append(probe);
      const { color } = getComputedStyle(probe);
      probe.remove();
      return /oklch\(([\d.]+) ([\d.]+) ([\d.]+)/.exec(color)?.map(Number);
    }, token)) ?? [];
  return { chroma: strength, hue };
}

test("the header is 4rem high, buttons are round, cards are rounded by 0.75rem, and the primary colour is yellow", async () => {
  const page = await visitor();
  await open(page, "/property-for-sale");
  const bar = page.getByRole("banner").locator("div").first();
  expect(await styles(bar, "height")).toEqual(["64px"]);
  const card = page.getByRole("article").first();
  expect(await styles(card, "border-top-left-radius")).toEqual(["12px"]);
  await open(page, "/login");
  const button = page.getByRole("button", { name: "Send me the email" });
  // The corner is fully round.
  const [corner = "", height = ""] = await styles(button, "border-top-left-radius", "height");
  expect(Number.parseFloat(corner)).toBeGreaterThanOrEqual(Number.parseFloat(height) / 2);
  const [fill] = await styles(button, "background-color");
  expect(fill).toBe("oklch(0.87 0.155 90)");
});

test.each(["light", "dark"] as const)(
  "each gray is neutral or cool, in %s",
  async (colorScheme) => {
    const page = await visitor({ colorScheme });
    await open(page, "/contact-us");
    for (const token of ["--sunk", "--line", "--line-strong", "--ink", "--muted"]) {
      const { chroma: strength, hue } = await chroma(page.locator("body"), token);
      expect([token, strength < 0.03]).toEqual([token, true]);
      if (strength > 0.001) expect([token, hue > 200 && hue < 290]).toEqual([token, true]);
    }
  },
);

test("a list of options is 15rem high at most, and is 8 px below its field", async () => {
  const page = await visitor();
  await open(page, "/property-for-sale");
  await page.getByLabel("Where or what").focus();
  const field = page.locator("input[name=q][role=combobox]");
  await field.waitFor();
  await page.keyboard.type("a");
  await page.keyboard.type("l");
  const list = page.getByRole("listbox");
  await list.waitFor();
  expect(await styles(list, "max-height", "overflow-y")).toEqual(["240px", "auto"]);
  expect((await list.boundingBox())?.height).toBeLessThanOrEqual(240);
  // The list's frame is its parent element.
  const [above, below] = [await field.boundingBox(), await list.locator("..").boundingBox()];
  expect((below?.y ?? 0) - (above?.y ?? 0) - (above?.height ?? 0)).toBeCloseTo(8, 0);
});

test("a panel opens 8 px below its button, and closes at a click beside it", async () => {
  const [home] = await listed("&status=for_sale");
  const page = await visitor({ reducedMotion: "reduce" });
  await open(page, `/property-for-sale/${home?.location.slug}/${home?.ref}`);
  const button = page.getByRole("button", { name: "Share", exact: true });
  await button.click();
  const panel = page.locator("#share");
  await panel.waitFor();
  const [above, below] = [await button.boundingBox(), await panel.boundingBox()];
  expect((below?.y ?? 0) - (above?.y ?? 0) - (above?.height ?? 0)).toBeCloseTo(8, 0);
  await page.mouse.click(5, 5);
  await panel.waitFor({ state: "hidden" });
});
