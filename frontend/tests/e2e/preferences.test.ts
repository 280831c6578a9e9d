import { expect, test } from "vitest";
import { anyProperty, open, visitor } from "./site.ts";

test("with reduced motion nothing moves", async () => {
  const { path } = await anyProperty();
  const page = await visitor({ reducedMotion: "reduce" });
  for (const address of ["/", "/property-for-sale", path]) {
    await open(page, address);
    const moving = await page.evaluate(() => {
      const brief = (durations: string) =>
        durations
          .split(",")
          .every((each) => Number.parseFloat(each) * (each.endsWith("ms") ? 1 : 1000) <= 1);
      return [...document.querySelectorAll("*")]
        .filter((element) => {
          const { transitionDuration, animationDuration, scrollBehavior } =
            getComputedStyle(element);
          return (
            !brief(transitionDuration) || !brief(animationDuration) || scrollBehavior !== "auto"
          );
        })
        .map((element) => element.outerHTML.slice(0, 120));
    });
    expect(moving).toEqual([]);
  }
});

test("with reduced motion the bar of a failed page is visible", async () => {
  const page = await visitor({ reducedMotion: "reduce" });
  await page.goto("/nothing-here");
  const bar = page.locator(".loading-bar[data-failed]");
  // Independent of the time passed: a moment after the bar's start.
  const opacity = await bar.evaluate((element) => {
    for (const animation of element.getAnimations()) {
      animation.pause();
      animation.currentTime = 100;
    }
    return getComputedStyle(element).opacity;
  });
  expect(opacity).toBe("1");
});

test("in colours that the visitor's system forces, the current part alone has a line beside it", async () => {
  const page = await visitor({ forcedColors: "active" });
  for (const [address, parts, side] of [
    ["/account", ".area-part", "borderBottomWidth"],
    ["/docs/buying/what-it-costs", ".doc-link", "borderLeftWidth"],
  ] as const) {
    await open(page, address);
    const lines = await page
      .locator(parts)
      .evaluateAll(
        (links, side) =>
          links.map((link) => [link.hasAttribute("aria-current"), getComputedStyle(link)[side]]),
        side,
      );
    expect(lines.filter(([isCurrent]) => isCurrent)).toHaveLength(1);
    expect(lines.length).toBeGreaterThan(1);
    for (const [isCurrent, width] of lines) expect(width).toBe(isCurrent ? "3px" : "0px");
  }
});

test("in colours that the visitor's system forces, no state is shown by a fill alone", async () => {
  const { path } = await anyProperty();
  const page = await visitor({ forcedColors: "active" });
  for (const address of ["/", "/property-for-sale", path]) {
    await open(page, address);
    const bare = await page.evaluate(() =>
      [
        ...document.querySelectorAll<HTMLElement>(
          "main :is(.bg-sun, .button-primary), footer [aria-pressed=true], .page-number[aria-current], .view-choice [aria-current]",
        ),
      ]
        .filter((element) => element.matches("a, button") && element.checkVisibility())
        .filter((element) => getComputedStyle(element).borderTopWidth !== "2px")
        .map((element) => element.outerHTML.slice(0, 120)),
    );
    expect(bare).toEqual([]);
    await page.keyboard.press("Tab");
    const outline = await page.evaluate(
      () => getComputedStyle(document.activeElement ?? document.body).outlineStyle,
    );
    expect(outline).toBe("solid");
  }
  await open(page, "/");
  await page.getByLabel("Where or what").focus();
  await page.locator("input[name=q][role=combobox]").waitFor();
  await page.keyboard.type("ner");
  const options = page.getByRole("listbox").getByRole("option");
  await options.first().waitFor();
  await page.keyboard.press("ArrowDown");
  const chosen = options.and(page.locator("[aria-selected=true]"));
  expect(await chosen.evaluate((option) => getComputedStyle(option).borderTopWidth)).toBe("2px");
  await open(page, path);
  // The official colours of the energy label carry meaning, so they are kept.
  const rated = page.locator(".energy-scale span, .energy-bar-thin").first();
  expect(await rated.evaluate((bar) => getComputedStyle(bar).forcedColorAdjust)).toBe("none");
});
