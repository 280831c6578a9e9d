import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MAILS } from "#app/features/catalogue/mail-samples.tsx";
import { axeFaults, EVERY_LOOK, faults, WIDTHS } from "./axe.ts";
import { looksLike } from "./pictures.ts";
import { type Renderer, startRenderer } from "./renderer.ts";
import { alive, hasFocus, hydrated, takesKeys, visitor, waitForFocus } from "./site.ts";

const FOLDER = new URL("../../", import.meta.url).pathname;
const CATALOGUE = { NODE_ENV: "production", CATALOGUE: "1" };

let renderer: Renderer;

/**
 * Visitors have no catalogue of components: the test builds it, unless `CATALOGUE_IS_BUILT` says that it is
 * built, and renders it beside the site, from the site's API.
 */
beforeAll(async () => {
  if (process.env.CATALOGUE_IS_BUILT !== "1") {
    await promisify(execFile)("npm", ["run", "build:catalogue"], { cwd: FOLDER });
  }
  renderer = await startRenderer(CATALOGUE);
});

afterAll(() => renderer?.stop());

/** Opens a page in which the catalogue's address is served by the test's renderer. */
async function reader(options: Parameters<typeof visitor>[0] = {}): Promise<Page> {
  const page = await visitor({
    viewport: { width: 900, height: 900 },
    reducedMotion: "reduce",
    ...options,
  });
  await page.route("**/catalogue", async (route) =>
    route.fulfill({ response: await route.fetch({ url: `${renderer.url}/catalogue` }) }),
  );
  // The site has another build, which the next navigation would load.
  await page.route("**/builds/latest.json", (route) => route.fulfill({ json: {} }));
  await page.route("**/assets/**", (route) =>
    route.fulfill({
      path: `${FOLDER}build-catalogue/client${new URL(route.request().url()).pathname}`,
    }),
  );
  return page;
}

async function catalogue(options?: Parameters<typeof visitor>[0]): Promise<Page> {
  const page = await reader(options);
  await page.goto("/catalogue");
  await alive(page);
  return page;
}

const sample = (page: Page, name: string) => page.locator(`[data-sample="${name}"]`);
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const field = (page: Page, label: string) => page.getByLabel(label, { exact: true }).first();

const holdsFocus = (part: Locator) =>
  part.evaluate((each) => each.contains(document.activeElement));

/** Presses a key on an element once it is hydrated. */
async function press(part: Locator, key: string): Promise<void> {
  await part.focus();
  await part.press(key);
}

/** Opens something by keyboard, and waits for it. */
async function opened(page: Page, opener: Locator, part: Locator, key = "Enter"): Promise<void> {
  await press(opener, key);
  await part.waitFor();
  await page.evaluate(() => document.fonts.ready);
}

/** The parts that open over the page, each with a function that opens it. */
const OVERLAYS: Record<string, (page: Page) => Promise<Locator>> = {
  dialog: async (page) => {
    const dialog = page.getByRole("dialog", { name: "Withdraw the home?" });
    await opened(page, button(page, "Withdraw"), dialog);
    await takesKeys(dialog);
    return dialog;
  },
  sheet: async (page) => {
    const sheet = page.getByRole("dialog", { name: "Filters" });
    await opened(page, button(page, "Open a sheet"), sheet);
    await takesKeys(sheet);
    return sheet;
  },
  menu: async (page) => {
    const menu = page.getByRole("menu");
    await opened(page, button(page, "Actions"), menu);
    await takesKeys(menu);
    return menu;
  },
  combobox: async (page) => {
    const list = page.getByRole("listbox");
    await opened(page, field(page, "Town"), list, "ArrowDown");
    return list;
  },
  tooltip: async (page) => {
    const words = page.locator(".tooltip");
    await opened(page, button(page, "Print this page").last(), words, "Shift");
    return words;
  },
  lightbox: async (page) => {
    const lightbox = page.getByRole("dialog", { name: "Some homes" });
    await opened(page, button(page, "Look at pictures"), lightbox);
    await takesKeys(lightbox);
    await lightbox.locator("picture img:not(.opacity-0)").first().waitFor();
    return lightbox;
  },
  toast: async (page) => {
    const toast = page.getByRole("dialog", { name: "The search is removed" });
    await opened(page, button(page, "Offer something"), toast);
    // A hovered toast stays; otherwise it would disappear before all of it is checked.
    await toast.hover();
    return toast;
  },
};

/** Parts that a click outside closes. Tooltips and toasts close themselves; a lightbox fills the window. */
const CLICKED_AWAY = ["dialog", "sheet", "menu", "combobox"];

/** The dropdowns, each with its frame and its opener. */
const DROPDOWNS: Record<string, (page: Page) => { opener: Locator; frame: Locator }> = {
  menu: (page) => ({
    // Not by role: beside an open menu everything is hidden from the accessibility tree.
    opener: page.locator("button", { hasText: /^Actions$/ }),
    frame: page.getByRole("menu"),
  }),
  combobox: (page) => ({ opener: field(page, "Town"), frame: page.locator(".list-popup") }),
};

/** Returns the distance between a frame and its opener, below it or above it. */
async function gap({ opener, frame }: { opener: Locator; frame: Locator }): Promise<number> {
  const [from, to] = [await opener.boundingBox(), await frame.boundingBox()];
  if (!from || !to) throw new Error("one of the two has no place");
  return Math.max(to.y - (from.y + from.height), from.y - (to.y + to.height));
}

describe.each(["light", "dark"] as const)("in %s", (colorScheme) => {
  const name = (part: string) => `${part}-${colorScheme}`;

  test("each part is accessible, and each of its states matches its screenshot", async () => {
    const page = await catalogue({ colorScheme });
    expect(await axeFaults(page)).toEqual([]);
    await field(page, "Empty").focus();
    await looksLike(name("text-field"), sample(page, "Text field"));
    for (const [part, title] of [
      ["text-area", "Text area"],
      ["select", "Select"],
      ["checkbox", "Checkbox"],
      ["radio-group", "Radio group"],
      ["button-busy", "Button, under way"],
      ["badge", "Badge"],
      ["table", "Table"],
      ["skeleton", "Skeleton"],
      ["empty", "Empty"],
      ["tabs", "Tabs"],
      ["slider", "Slider"],
      ["card", "Card"],
      ["breadcrumbs", "Breadcrumbs"],
      ["pagination", "Pagination"],
      ["range", "Range"],
      ["map", "Map"],
    ] as const) {
      await looksLike(name(part), sample(page, title));
    }
    const cards = sample(page, "Property card");
    // The favourite buttons load with their own script.
    await cards.getByRole("button", { name: "S-2" }).first().waitFor();
    await looksLike(name("property-card"), cards);
    for (const [part, title, role, over] of [
      ["button-primary", "Button, primary", "button", "Words"],
      ["button-outline", "Button, outline", "button", "Words"],
      ["chip", "Chip", "link", "Remove: Nerja"],
    ] as const) {
      await sample(page, title).getByRole(role, { name: over }).hover();
      await looksLike(name(part), sample(page, title));
    }
  });

  test.each(Object.entries(OVERLAYS))(
    "an open %s is accessible, is placed right, matches its screenshot, and closes",
    async (part, open) => {
      const page = await catalogue({ colorScheme });
      const opened = await open(page);
      const dropped = DROPDOWNS[part]?.(page);
      if (dropped) {
        // Dropdowns are placed on whole pixels, their openers may not be.
        await expect.poll(async () => Math.abs((await gap(dropped)) - 8)).toBeLessThan(1);
      }
      await looksLike(name(part), opened);
      await opened.evaluate((element) => element.setAttribute("data-looked-at", ""));
      expect(await axeFaults(page, { within: "[data-looked-at]" })).toEqual([]);
      if (CLICKED_AWAY.includes(part)) {
        await page.mouse.click(5, 5);
        await opened.waitFor({ state: "detached" });
      }
    },
  );
});

describe.each(["en", "es"])("each mail in %s", (language) => {
  test("is accessible, in light and dark, on a phone and a desktop", async () => {
    const page = await visitor();
    await page.route("**/catalogue/mails/*", async (route) => {
      const { pathname } = new URL(route.request().url());
      await route.fulfill({ response: await route.fetch({ url: `${renderer.url}${pathname}` }) });
    });
    for (const mail of MAILS) {
      await page.goto(`/catalogue/mails/${mail}.${language}`);
      expect(await page.title()).not.toBe("");
      expect(await page.locator("html").getAttribute("lang")).toMatch(new RegExp(`^${language}`));
      // A mail is shown within a mail program's page, whose landmarks it must not repeat.
      expect(await faults(page, EVERY_LOOK, "table")).toEqual([]);
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 });
        const beside = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        );
        expect(beside).toBe(0);
      }
    }
  });
});

test("the photographs open over the catalogue, and return the focus", async () => {
  const page = await catalogue();
  await press(button(page, "Look at pictures"), "Enter");
  const lightbox = page.getByRole("dialog", { name: "Some homes" });
  await lightbox.locator("picture img").first().waitFor();
  await takesKeys(lightbox);
  await page.keyboard.press("Escape");
  await lightbox.waitFor({ state: "detached" });
  await waitForFocus(button(page, "Look at pictures"));
});

test("a form works without a script", async () => {
  const page = await reader({ javaScriptEnabled: false });
  await page.goto("/catalogue");
  await field(page, "Empty").fill("typed");
  await field(page, "Chosen").selectOption("nerja");
  await field(page, "Not ticked").check();
  await page.getByRole("radio", { name: "Torrox" }).first().check();
  expect(await field(page, "Empty").inputValue()).toBe("typed");
  expect(await page.getByRole("tabpanel").count()).toBe(1);
});

test("what was typed and chosen before hydration is still there afterwards", async () => {
  const page = await reader();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route("**/assets/*.js", async (route) => {
    await released;
    await route.fallback();
  });
  await page.goto("/catalogue", { waitUntil: "commit" });
  const form = (label: string) => field(page, label);
  await form("Empty").fill("typed");
  await form("Filled").fill("typed over");
  await page.locator("textarea[name=text]").fill("typed over");
  await form("Chosen").selectOption("nerja");
  await form("Not ticked").check();
  await form("Ticked").uncheck();
  await page.getByRole("radio", { name: "Torrox" }).first().check();
  release();
  await alive(page);
  // The page hydrates part by part.
  await hydrated(page.locator("textarea[name=text]"));
  await hydrated(page.getByRole("radio", { name: "Torrox" }).first());
  expect(await form("Empty").inputValue()).toBe("typed");
  expect(await form("Filled").inputValue()).toBe("typed over");
  expect(await page.locator("textarea[name=text]").inputValue()).toBe("typed over");
  expect(await form("Chosen").inputValue()).toBe("nerja");
  expect(await form("Not ticked").isChecked()).toBe(true);
  expect(await form("Ticked").isChecked()).toBe(false);
  expect(await page.getByRole("radio", { name: "Torrox" }).first().isChecked()).toBe(true);
});

test("missing fields are listed above the form, and each entry links to its field", async () => {
  const page = await catalogue();
  await button(page, "Send").click();
  const list = page.getByRole("region", { name: "2 things need correcting" });
  await list.waitFor();
  expect(await hasFocus(list)).toBe(true);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  const name = page.getByLabel("Your name");
  await waitForFocus(name);
  expect(await name.getAttribute("aria-invalid")).toBe("true");
  const description = await name.evaluate((element) =>
    (element.getAttribute("aria-describedby") ?? "")
      .split(" ")
      .map((id) => document.getElementById(id)?.textContent)
      .join(),
  );
  expect(description).toBe("Error: Tell us your name.");
  await page.keyboard.type("Ann");
  await list.getByRole("link", { name: "Choose what it is about." }).click();
  await page.keyboard.press("Space");
  await button(page, "Send").click();
  await list.waitFor({ state: "detached" });
});

test("a busy button keeps the focus, and does not start twice", async () => {
  const page = await catalogue();
  const busy = button(page, "Sending").first();
  await busy.focus();
  expect(await hasFocus(busy)).toBe(true);
  expect(await busy.getAttribute("aria-disabled")).toBe("true");
});

describe("by keyboard", () => {
  test.each(["dialog", "sheet"] as const)(
    "a %s keeps the focus until it is closed",
    async (name) => {
      const page = await catalogue();
      const opener = button(page, name === "dialog" ? "Withdraw" : "Open a sheet");
      const part = await OVERLAYS[name]?.(page);
      if (!part) throw new Error(`there is no ${name}`);
      await expect.poll(() => holdsFocus(part)).toBe(true);
      for (const key of ["Tab", "Tab", "Tab", "Tab", "Shift+Tab", "Shift+Tab"]) {
        await page.keyboard.press(key);
        await expect.poll(() => holdsFocus(part)).toBe(true);
      }
      await page.keyboard.press("Escape");
      await part.waitFor({ state: "detached" });
      await waitForFocus(opener);
    },
  );

  test("a list inside a sheet is closed before the sheet", async () => {
    const page = await catalogue();
    const sheet = await OVERLAYS.sheet?.(page);
    await opened(page, field(page, "Town of the sheet"), page.getByRole("listbox"), "ArrowDown");
    await page.keyboard.press("Escape");
    await page.getByRole("listbox").waitFor({ state: "detached" });
    expect(await sheet?.isVisible()).toBe(true);
  });

  test("a menu is gone through with the arrows, and gives the focus back", async () => {
    const page = await catalogue();
    const menu = await OVERLAYS.menu?.(page);
    const entry = (label: string) => page.getByRole("menuitem", { name: label });
    await waitForFocus(entry("Copy"));
    await page.keyboard.press("ArrowDown");
    await waitForFocus(entry("Print"));
    await page.keyboard.press("End");
    await waitForFocus(entry("To the homes"));
    await page.keyboard.press("Escape");
    await menu?.waitFor({ state: "detached" });
    await waitForFocus(button(page, "Actions"));

    await OVERLAYS.menu?.(page);
    await page.keyboard.press("p");
    await waitForFocus(entry("Print"));
    await page.keyboard.press("Enter");
    await page.getByText("Last chosen: printed").waitFor();
    await waitForFocus(button(page, "Actions"));
  });

  test("tabs follow the arrow keys, and keep what was typed in them", async () => {
    const page = await catalogue();
    const tab = (name: string) => page.getByRole("tab", { name });
    await press(tab("New"), "ArrowRight");
    await page.getByLabel("A note").fill("call Ann");
    expect(await tab("In hand").getAttribute("aria-selected")).toBe("true");
    await press(tab("In hand"), "End");
    await page.getByText("What is answered.").waitFor();
    await press(tab("Done"), "ArrowLeft");
    expect(await page.getByLabel("A note").inputValue()).toBe("call Ann");
  });

  test("a slider moves by steps to its ends, and a range's thumbs don't pass each other", async () => {
    const page = await catalogue();
    const deposit = page.getByRole("slider", { name: "Deposit" });
    await press(deposit, "ArrowRight");
    expect(await deposit.getAttribute("aria-valuetext")).toBe("35 %");
    await press(deposit, "End");
    expect(await deposit.getAttribute("aria-valuetext")).toBe("100 %");
    const [lowest, highest] = ["Lowest price", "Highest price"].map((name) =>
      page.getByRole("slider", { name }),
    ) as [Locator, Locator];
    await press(lowest, "End");
    expect(Number(await lowest.inputValue())).toBeLessThanOrEqual(
      Number(await highest.inputValue()),
    );
  });

  test("a combobox is found by typing, and closed by Escape", async () => {
    const page = await catalogue();
    const town = field(page, "Town");
    await town.focus();
    await page.keyboard.type("ner");
    await page.getByRole("option", { name: "Nerja" }).waitFor();
    expect(await page.getByRole("option").count()).toBe(1);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.getByRole("listbox").waitFor({ state: "detached" });
    expect(await town.inputValue()).toBe("Nerja");
    expect(await page.locator("input[name=town]").inputValue()).toBe("nerja");
    await press(town, "ArrowDown");
    await page.getByRole("listbox").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("listbox").waitFor({ state: "detached" });
    expect(await hasFocus(town)).toBe(true);
  });

  test("a combobox says what it lacks, and marks its options", async () => {
    const page = await catalogue();
    await press(field(page, "No towns"), "ArrowDown");
    await page.getByText("No options.").waitFor();
    await page.keyboard.press("Escape");
    const town = field(page, "Town");
    expect(await field(page, "No towns").getAttribute("placeholder")).toBe("Search...");
    await town.focus();
    await page.keyboard.type("Ronda");
    await page.getByText('No results for "Ronda".').waitFor();
    await page.keyboard.press("Escape");
    await press(field(page, "With marks"), "ArrowDown");
    const option = (name: string) => page.getByRole("option", { name, exact: true });
    await option("A drawing").locator("use[href$='#house']").waitFor({ state: "attached" });
    expect(await option("A face").locator(".avatar").textContent()).toBe("AP");
    expect(await option("A state").locator("span").count()).toBe(1);
    expect(await option("Not now").getAttribute("aria-disabled")).toBe("true");
    expect(await option("A state").getAttribute("aria-disabled")).not.toBe("true");
  });

  test("a tooltip shows on focus, and closes by Escape", async () => {
    const page = await catalogue();
    const words = await OVERLAYS.tooltip?.(page);
    await page.keyboard.press("Escape");
    await words?.waitFor({ state: "detached" });
  });

  test("a toast is reached by F6, and what it offers is done", async () => {
    const page = await catalogue();
    const toast = await OVERLAYS.toast?.(page);
    await page.keyboard.press("F6");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe("Undo");
    await page.keyboard.press("Enter");
    await toast?.waitFor({ state: "detached" });
    await page.getByText("Last chosen: undone").waitFor();
  });

  test("a toast is pressed by its title, and stays; another tells once that it is over", async () => {
    const page = await catalogue();
    await press(button(page, "Name somebody"), "Enter");
    const named = page.getByRole("dialog", { name: "Ann Prior has answered" });
    expect(await named.locator(".avatar").textContent()).toBe("AP");
    expect(await named.getByRole("button", { name: "Close" }).count()).toBe(0);
    await press(named.getByRole("button", { name: "Ann Prior has answered" }), "Enter");
    await page.getByText("Last chosen: looked at").waitFor();
    expect(await named.isVisible()).toBe(true);

    await press(button(page, "Report a fault"), "Enter");
    const fault = page.getByRole("dialog", { name: "It could not be kept" });
    await press(fault.getByRole("button", { name: "Close" }), "Enter");
    await page.getByText("Last chosen: over").waitFor();
    await fault.waitFor({ state: "detached" });
  });
});
