import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { addressOf, elements, headOf } from "./html.ts";
import {
  anyProperty,
  ask,
  BASE_URL,
  euros,
  hasFocus,
  hydrated,
  open,
  openWhole,
  READABLE,
  visitor,
  waitForFocus,
} from "./site.ts";

const PHONE = { viewport: { width: 390, height: 844 } } as const;
const DESK = { viewport: { width: 1440, height: 900 } } as const;

interface Found {
  total: number;
  items: { ref: string }[];
  words: string;
  understood: { parameter: string; value: string }[];
  loosen: { parameters: string[]; count: number }[];
  facets: Record<
    "propertyType" | "kind" | "features" | "location" | "energy",
    Record<string, number>
  >;
}

/** Returns what the API finds for the search in an address of the list. */
async function found(address: string): Promise<Found> {
  const { pathname, searchParams } = new URL(address, BASE_URL);
  const asked = new URLSearchParams([...searchParams].filter(([name]) => name !== "view"));
  const place = pathname.split("/property-for-sale/")[1];
  if (place) asked.append("location", place);
  const response = await ask(`/api/properties?${asked}`);
  expect([address, response.status]).toEqual([address, 200]);
  return (await response.json()) as Found;
}

/** A count as the list shows it: of homes, or of properties if not all are homes. */
const counted = (count: number, locale: "en" | "es" = "en") => {
  const [one, several] = {
    en: ["(home|property)", "(homes|properties)"],
    es: ["(vivienda|inmueble)", "(viviendas|inmuebles)"],
  }[locale];
  const figure = new Intl.NumberFormat(locale === "en" ? "en-GB" : "es-ES", {
    useGrouping: "always",
  }).format(count);
  return new RegExp(`${figure} ${count === 1 ? one : several}$`);
};

const count = (page: Page) => page.locator("main p[aria-live=polite]");

/** Waits until the list shows `total`. */
async function saysCount(page: Page, total: number, locale?: "en" | "es"): Promise<void> {
  await expect.poll(() => count(page).textContent()).toMatch(counted(total, locale));
}

test("the placeholder of the search field is not cut off", async () => {
  const page = await visitor({ javaScriptEnabled: false });
  for (const [path, widths] of [
    ["/property-for-sale", [1024, 1440]],
    ["/", [1024, 320]],
  ] as const) {
    for (const address of [path, path === "/" ? "/es" : `/es${path}`]) {
      await page.goto(address, READABLE);
      for (const width of widths) {
        await page.setViewportSize({ width, height: 900 });
        await page.evaluate(() => document.fonts.ready);
        const room = await page.locator("input[name=q]:visible").evaluate((field) => {
          const { font, paddingLeft, paddingRight } = getComputedStyle(field);
          const pen = document.createElement("canvas").getContext("2d");
          if (pen) pen.font = font;
          const text = pen?.measureText((field as HTMLInputElement).placeholder).width ?? 0;
          const padding = Number.parseFloat(paddingLeft) + Number.parseFloat(paddingRight);
          return field.clientWidth - padding - text;
        });
        expect([address, width, room >= 0]).toEqual([address, width, true]);
      }
    }
  }
});

describe("filters in a column", () => {
  test("apply by keys alone, at once and without scrolling, and follow back and forward", {
    tags: "every-browser",
  }, async () => {
    const page = await visitor(DESK);
    await open(page, "/property-for-sale");
    const houses = page.getByRole("checkbox", { name: "Houses" });
    await houses.focus();
    await page.keyboard.press("Space");
    await page.waitForURL("**/property-for-sale?propertyType=House");
    await saysCount(page, (await found(page.url())).total);
    expect(await hasFocus(houses)).toBe(true);

    // Far down the column, where a jump would be visible.
    const pool = page.getByRole("checkbox", { name: /^Pool/ });
    await pool.scrollIntoViewIfNeeded();
    const before = await page.evaluate(() => scrollY);
    expect(before).toBeGreaterThan(0);
    await pool.focus();
    await page.keyboard.press("Space");
    await page.waitForURL("**?features=pool&propertyType=House");
    await saysCount(page, (await found(page.url())).total);
    expect(await page.evaluate(() => scrollY)).toBe(before);
    expect(await hasFocus(pool)).toBe(true);

    await page.goBack();
    await page.waitForURL("**?propertyType=House");
    await expect.poll(() => pool.isChecked()).toBe(false);
    expect(await houses.isChecked()).toBe(true);
    await page.goForward();
    await expect.poll(() => pool.isChecked()).toBe(true);
  });

  test("a page that is opened while a price is still being typed is not cancelled by it", async () => {
    const page = await visitor(DESK);
    await page.clock.install();
    await open(page, "/property-for-sale");
    // It takes longer than the price's delay.
    const { promise: awaited, resolve: release } = Promise.withResolvers<void>();
    await page.route(/\/assets\/save-search-/, async (route) => {
      await awaited;
      await route.continue();
    });
    const asked = page.waitForRequest(/\/assets\/save-search-/);
    const most = page.getByRole("slider", { name: "Price: at most" });
    await expect.poll(() => most.isEnabled()).toBe(true);
    await page.clock.pauseAt(Date.now() + 60_000);
    await page.locator("input[name=maxPrice]").fill("300000");
    await page.getByRole("link", { name: "Save this search" }).press("Enter");
    await asked;
    await page.clock.runFor(2_000);
    release();
    await page.waitForURL("**/save-search");
  });

  test("a price is typed or dragged, and both controls show the same", async () => {
    const page = await visitor(DESK);
    await open(page, "/property-for-sale");
    const most = page.getByRole("slider", { name: "Price: at most" });
    await expect.poll(() => most.isEnabled()).toBe(true);
    await most.focus();
    expect(await most.getAttribute("aria-valuetext")).toBe("No limit");
    for (let steps = 0; steps < 3; steps++) await page.keyboard.press("ArrowLeft");
    const field = page.locator("input[name=maxPrice]");
    const price = Number(await field.inputValue());
    expect(price).toBeGreaterThan(0);
    await page.waitForURL(`**?maxPrice=${price}`);
    expect(await field.inputValue()).toBe(String(price));
    expect(await most.getAttribute("aria-valuetext")).toBe(euros(price));
    await saysCount(page, (await found(page.url())).total);

    await field.fill("350.000 €");
    await page.waitForURL("**?maxPrice=350000");
    await expect.poll(() => field.inputValue()).toBe("350000");
    await page.getByRole("link", { name: "Remove filter: up to €350,000" }).press("Enter");
    await page.waitForURL("**/property-for-sale");
    await expect.poll(() => field.inputValue()).toBe("");
    expect(await most.getAttribute("aria-valuetext")).toBe("No limit");
  });

  test("count what was ticked before hydration", async () => {
    const page = await visitor(DESK);
    let come = () => {};
    const asked = new Promise<void>((resolve) => {
      come = resolve;
    });
    await page.route("**/assets/filters-*.js", async (route) => {
      await asked;
      await route.continue();
    });
    await open(page, "/property-for-sale");
    await page.getByRole("checkbox", { name: "Houses" }).check();
    come();
    await page.waitForURL("**/property-for-sale?propertyType=House");
    expect(await page.getByRole("checkbox", { name: "Houses" }).isChecked()).toBe(true);
  });

  test("keep what is being typed while an answer arrives", async () => {
    const page = await visitor(DESK);
    await open(page, "/property-for-sale");
    const answer = Promise.withResolvers<void>();
    await page.route("**/api/properties?*", async (route) => {
      await answer.promise;
      await route.continue();
    });
    await page.getByRole("checkbox", { name: "Houses" }).check();
    const words = page.getByLabel("Where or what");
    await words.fill("sea vi");
    const least = page.locator("input[name=minPrice]");
    await least.pressSequentially("25");
    answer.resolve();
    await page.waitForURL("**?*propertyType=House*");
    expect(await least.inputValue()).toBe("25");
    await least.pressSequentially("0000");
    await page.waitForURL("**?*minPrice=250000*");
    // In the end both count, and so do the words, which were not sent yet.
    expect(await least.inputValue()).toBe("250000");
    expect(await page.getByRole("checkbox", { name: "Houses" }).isChecked()).toBe(true);
    expect(await words.inputValue()).toContain("sea vi");
  });

  test("can undo a filter whose request is pending", async () => {
    const page = await visitor(DESK);
    await open(page, "/property-for-sale");
    const { promise: awaited, resolve: release } = Promise.withResolvers<void>();
    await page.route("**/api/properties?*", async (route) => {
      await awaited;
      // It may have been cancelled.
      await route.continue().catch(() => undefined);
    });
    const asks = (minPrice: string | null, reduced: string | null) =>
      page.waitForRequest((request) => {
        const { pathname, searchParams } = new URL(request.url());
        const isSame =
          searchParams.get("minPrice") === minPrice && searchParams.get("reduced") === reduced;
        return pathname === "/api/properties" && isSame;
      });
    const least = await hydrated(page.locator("#filters-form input[name=minPrice]"));
    const reduced = page.locator("#filters-form input[name=reduced]");
    // In Spanish notation; the address has it without the point.
    const bounded = asks("350000", null);
    await least.fill("350.000");
    await bounded;
    const without = asks(null, "true");
    await least.fill("");
    await reduced.check();
    await without;
    release();
    await page.waitForURL("**/property-for-sale?reduced=true");
    await expect.poll(() => reduced.isChecked()).toBe(true);
    expect(await least.inputValue()).toBe("");
  });

  test("can undo a filter understood from words while their next page is pending", async () => {
    const page = await visitor(DESK);
    await open(page, "/property-for-sale?q=houses");
    const houses = await hydrated(page.getByRole("checkbox", { name: "Houses" }));
    expect(await houses.isChecked()).toBe(true);
    const { promise: awaited, resolve: release } = Promise.withResolvers<void>();
    await page.route("**/api/properties?*", async (route) => {
      await awaited;
      await route.continue().catch(() => undefined);
    });
    const next = page.waitForRequest("**/api/properties?*page=2*");
    await page.locator("a[rel=next]").click();
    await next;
    await houses.uncheck();
    release();
    await page.waitForURL("**/property-for-sale");
    expect(await houses.isChecked()).toBe(false);
  });

  test.each(["kind", "features"])(
    "a fold whose last box is unticked by keys stays open (%s)",
    async (name) => {
      const page = await visitor(DESK);
      await open(page, "/property-for-sale");
      const folded = page.locator(`details input[name=${name}]`).first();
      const value = (await folded.getAttribute("value")) ?? "";
      const all = (await found("/property-for-sale")).total;
      await open(page, `/property-for-sale?${name}=${value}`);
      const box = page.locator(`input[name=${name}][value="${value}"]`);
      await hydrated(box);
      await box.focus();
      await page.keyboard.press("Space");
      await page.waitForURL("**/property-for-sale");
      await saysCount(page, all);
      expect(await box.isVisible()).toBe(true);
      expect(await hasFocus(box)).toBe(true);
    },
  );

  test("that don't change the title don't announce it", async () => {
    const page = await visitor(DESK);
    await open(page, "/property-for-sale?features=pool");
    const title = await page.title();
    const readOut = (text: string) =>
      page.locator("p[role=status]").getByText(text, { exact: true });
    await page.locator("input[name=features][value=garage]").check();
    await page.waitForURL("**?features=garage&features=pool");
    await saysCount(page, (await found(page.url())).total);
    expect(await page.title()).toBe(title);
    expect(await readOut(title).count()).toBe(0);
    await page.getByRole("checkbox", { name: "Houses" }).check();
    await page.waitForURL("**&propertyType=House");
    await expect.poll(() => page.title()).toMatch(/^Houses for sale/);
    await readOut(await page.title()).waitFor({ state: "attached" });
  });

  test("show beside each choice the number of homes in its list", async () => {
    const page = await visitor(DESK);
    const base = "/property-for-sale?propertyType=Apartment";
    const { facets } = await found(base);
    for (const [name, counts] of [
      ["features", facets.features],
      ["kind", facets.kind],
      ["energy", facets.energy],
      ["location", facets.location],
    ] as const) {
      const [value, count] = Object.entries(counts).find(([, count]) => count > 0) ?? [];
      if (count === undefined) throw new Error(`no home has any ${name}`);
      await open(page, base);
      const box = page.locator(`input[name=${name}][value="${value}"]`);
      const label = await page.locator("label", { has: box }).textContent();
      expect(label?.replace(/^\D*/, "")).toBe(String(count));
      await page.locator("details", { has: box }).evaluateAll((parts) => {
        for (const part of parts) part.setAttribute("open", "");
      });
      await box.check();
      await saysCount(page, count);
    }
  });
});

test("the shown order is the list's, after a step back too", async () => {
  const page = await visitor(DESK);
  await open(page, "/property-for-sale");
  await hydrated(page.locator("#filters-form"));
  const sort = page.locator("select[name=sort]");
  await sort.selectOption("price-asc");
  await page.waitForURL("**/property-for-sale?sort=price-asc");
  await page.goBack();
  await page.waitForURL("**/property-for-sale");
  await expect.poll(() => sort.inputValue()).toBe("");
  // So the next filter keeps it.
  await page.getByRole("checkbox", { name: "Houses" }).check();
  await page.waitForURL("**/property-for-sale?propertyType=House");
});

test("a pending list does not close a panel that is opened meanwhile", async () => {
  const page = await visitor(PHONE);
  // Once hydrated, the panel records pending requests when it opens.
  await openWhole(page, "/property-for-sale?features=garage");
  const { promise: awaited, resolve: release } = Promise.withResolvers<void>();
  await page.route("**/api/properties?*", async (route) => {
    await awaited;
    await route.continue();
  });
  const asked = page.waitForRequest("**/api/properties?*");
  await page.getByRole("link", { name: /^Remove filter:/ }).click();
  await asked;
  await page.getByRole("button", { name: "Filters" }).click();
  const pool = page.locator("#filters input[name=features][value=pool]");
  await pool.check();
  release();
  await page.waitForURL("**/property-for-sale");
  await saysCount(page, (await found(page.url())).total);
  expect(await pool.isVisible()).toBe(true);
  expect(await pool.isChecked()).toBe(true);
});

test("words apply when their field loses the focus, and by their button", async () => {
  const page = await visitor(DESK);
  await open(page, "/property-for-sale");
  const words = page.locator("#filters").getByLabel("Where or what");
  await words.fill("garden");
  await page.getByRole("checkbox", { name: "Houses" }).focus();
  await page.waitForURL((url) => url.search.includes("garden"));
  await saysCount(page, (await found(page.url())).total);
  await words.fill("terrace");
  await page.locator("#filters").getByRole("button", { name: "Search" }).click();
  await page.waitForURL((url) => url.search.includes("terrace"));
});

test("garages, premises and land are not counted as homes", async () => {
  const noun = async (path: string) => {
    const html = await (await ask(path)).text();
    return /<p aria-live="polite"[^>]*>[\d.,]+ ([^<]*)</.exec(html)?.[1];
  };
  expect(await noun("/property-for-sale")).toBe("properties");
  expect(await noun("/property-for-sale?kind=garage")).toBe("properties");
  expect(await noun("/property-for-sale?propertyType=House")).toBe("homes");
  expect(await noun("/property-for-sale?kind=villa")).toBe("homes");
  expect(await noun("/es/property-for-sale")).toBe("inmuebles");
  expect(await noun("/es/property-for-sale?propertyType=Apartment")).toBe("viviendas");
});

test.each([
  ["en", "/property-for-sale", "Garages, plots and premises"],
  ["es", "/es/property-for-sale", "Garajes, terrenos y locales"],
] as const)(
  "homes come before other properties, which have their own link and heading, in %s",
  async (_, list, title) => {
    const cheapest = `${list}?sort=price-asc`;
    const [all, others] = await Promise.all([
      found("/property-for-sale"),
      found("/property-for-sale?propertyType=Commercial"),
    ]);
    const homes = all.total - others.total;
    expect([homes > 0, others.total > 0]).toEqual([true, true]);
    const page = await visitor({ ...DESK, javaScriptEnabled: false });
    await page.goto(cheapest, READABLE);
    const heading = page.getByRole("heading", { level: 2, name: title });
    expect(await heading.count()).toBe(0);
    const turned = `${cheapest}&page=${Math.ceil((homes + 1) / 24)}`.replace("&page=1", "");
    await page.goto(turned, READABLE);
    await heading.waitFor();
    const after = page.locator("h2", { hasText: title }).locator("~ ul").getByRole("article");
    const before = page.locator("main ul:has(article)").first().getByRole("article");
    if (homes % 24 > 0) expect(await before.count()).toBe(homes % 24);
    const cheapestOther = (await found("/property-for-sale?propertyType=Commercial&sort=price-asc"))
      .items[0];
    expect(await after.first().getAttribute("data-ref")).toBe(cheapestOther?.ref);
    await page.getByRole("link", { name: new RegExp(`^${others.total} ${title}$`, "i") }).click();
    await page.waitForURL(`**${list}?propertyType=Commercial&sort=price-asc`, READABLE);
    expect(await heading.count()).toBe(0);
  },
);

test("a printed list has no controls", async () => {
  const page = await visitor(PHONE);
  const [home] = (await found("/property-for-sale?propertyType=House&features=pool")).items;
  await page.addInitScript((reference) => {
    const at = new Date().toISOString();
    const seen = { reference, seenAt: at, changedAt: at };
    localStorage.setItem("my-homes", JSON.stringify([seen]));
  }, home?.ref);
  await open(page, "/property-for-sale?propertyType=House&features=pool");
  const seen = page.getByRole("article").getByText("Seen", { exact: true });
  await seen.waitFor();
  await page
    .getByRole("button", { name: /^Favourite: / })
    .first()
    .waitFor();
  await page.emulateMedia({ media: "print" });
  expect(await seen.isVisible()).toBe(false);
  const pressed = page.locator("main").locator("button, select, input, nav a");
  const inSight = await pressed.evaluateAll((elements) =>
    elements.filter((element) => element.checkVisibility()).map(({ outerHTML }) => outerHTML),
  );
  expect(inSight).toEqual([]);
});

test.each([
  ["/property-for-sale?status=sold", "Sold by us", "have been sold", "Reduced"],
  ["/es/property-for-sale?status=sold", "Vendidos por nosotros", "ya están vendidas", "Rebajado"],
])("%s says that its homes are sold", async (path, heading, lead, reduced) => {
  const page = await visitor();
  await open(page, path);
  const words = page.getByRole("main");
  await words.getByRole("heading", { level: 1, name: heading, exact: true }).waitFor();
  await words.getByText(lead).waitFor();
  expect(await page.title()).toContain(heading);
  const description = await page.locator("meta[name=description]").getAttribute("content");
  expect(description).toContain(lead);
  expect(await words.locator("a[href*='/save-search']").count()).toBe(0);
  expect(await words.locator(".card-badges", { hasText: reduced }).count()).toBe(0);
});

test("one very long word does not widen a phone's page", async () => {
  const page = await visitor(PHONE);
  await open(page, `/property-for-sale?q=${"x".repeat(100)}`);
  await page.getByRole("list", { name: "Filters in use" }).waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
});

describe("filters in a sheet", () => {
  test("the button shows the number of results before it applies the filters", {
    tags: "every-browser",
  }, async () => {
    const page = await visitor(PHONE);
    await open(page, "/property-for-sale");
    const opener = page.getByRole("button", { name: "Filters" });
    await opener.press("Enter");
    const sheet = page.locator("#filters");
    await sheet.getByRole("button", { name: /^Show \d+ (homes|properties)$/ }).waitFor();
    await sheet.getByRole("checkbox", { name: "Apartments" }).check();
    const { total } = await found("/property-for-sale?propertyType=Apartment");
    const show = sheet.getByRole("button", { name: counted(total) });
    await show.waitFor();
    expect(new URL(page.url()).search).toBe("");
    await show.press("Enter");
    await page.waitForURL("**?propertyType=Apartment");
    await sheet.waitFor({ state: "hidden" });
    await saysCount(page, total);
  });

  test("the button shows the list even if pressed before its number is up to date", async () => {
    const page = await visitor(PHONE);
    await open(page, "/property-for-sale");
    const { promise: awaited, resolve: release } = Promise.withResolvers<void>();
    let asked = 0;
    await page.route("**/api/properties?*", async (route) => {
      asked += 1;
      await awaited;
      await route.continue();
    });
    await page.getByRole("button", { name: "Filters" }).click();
    const sheet = page.locator("#filters");
    await hydrated(sheet);
    const question = page.waitForRequest("**/api/properties?*");
    await sheet.getByRole("checkbox", { name: "Apartments" }).check();
    await question;
    await sheet.getByRole("button", { name: /^Show \d+/ }).click();
    await sheet.waitFor({ state: "hidden" });
    release();
    await page.waitForURL("**?propertyType=Apartment");
    await saysCount(page, (await found(page.url())).total);
    expect(asked).toBe(1);
  });

  test("the button has no number before hydration", async () => {
    const page = await visitor({ ...PHONE, javaScriptEnabled: false });
    await page.goto("/property-for-sale", READABLE);
    await page.getByRole("button", { name: "Filters" }).click();
    const show = page.locator("#filters").getByRole("button", { name: "Show results" });
    await show.waitFor();
    // The server's HTML, as the page is before hydration.
    const html = await (await ask("/property-for-sale")).text();
    expect(html).not.toMatch(/>Show \d/);
  });

  test("choices that were not applied are discarded when it closes", async () => {
    const page = await visitor(PHONE);
    await open(page, "/property-for-sale");
    const opener = page.getByRole("button", { name: "Filters" });
    await opener.click();
    const sheet = page.locator("#filters");
    await sheet.getByRole("checkbox", { name: "Apartments" }).check();
    const { total } = await found("/property-for-sale?propertyType=Apartment");
    await sheet.getByRole("button", { name: counted(total) }).waitFor();
    await page.keyboard.press("Escape");
    await sheet.waitFor({ state: "hidden" });
    expect(await hasFocus(opener)).toBe(true);
    await opener.click();
    const box = sheet.getByRole("checkbox", { name: "Apartments" });
    await expect.poll(() => box.isChecked()).toBe(false);
    const { total: all } = await found("/property-for-sale");
    await sheet.getByRole("button", { name: counted(all) }).waitFor();
    expect(new URL(page.url()).search).toBe("");
  });
});

test("words that mean a filter become one, and each can be removed", async () => {
  const page = await visitor(DESK);
  const address = "/property-for-sale?q=3+bed+villa+nerja";
  const { understood, total } = await found(address);
  expect(understood.map(({ parameter }) => parameter).sort()).toEqual([
    "kind",
    "location",
    "minBedrooms",
  ]);
  await open(page, address);
  await page.getByRole("heading", { level: 1, name: "Villas for sale in Nerja" }).waitFor();
  await saysCount(page, total);
  expect(await page.getByRole("checkbox", { name: "Nerja" }).isChecked()).toBe(true);
  await page.getByRole("link", { name: "Remove filter: 3+ bedrooms" }).press("Enter");
  await page.waitForURL("**/property-for-sale/nerja?kind=villa");
  await saysCount(page, (await found(page.url())).total);
  // The number of homes may be unchanged, so it says nothing about the chips.
  await expect.poll(() => page.getByRole("link", { name: /^Remove filter:/ }).count()).toBe(2);
  await page.getByRole("link", { name: "Clear all filters" }).press("Enter");
  await page.waitForURL("**/property-for-sale");
});

test.each([
  ["", "pet friendly", "Shown without “pet friendly”: none of these properties mentions it."],
  [
    "/es",
    "https://www.idealista.com/inmueble/104567890/",
    "Se muestra sin «https://www.idealista.com/inmueble/104567890/»: ninguno de estos inmuebles lo menciona.",
  ],
  // The homes with these words are the unwanted ones.
  ["", "no stairs", "We can’t search by “no stairs”."],
  ["/es", "sin escaleras", "No podemos buscar por «sin escaleras»."],
])("words that no home has are ignored, which is shown (%s)", async (language, words, said) => {
  const page = await visitor(PHONE);
  await open(page, `${language}/property-for-sale?${new URLSearchParams({ q: `${words} villa` })}`);
  await page.getByText(said).waitFor();
  const villas = await ask("/api/properties?locale=en&kind=villa");
  const { total } = (await villas.json()) as { total: number };
  await saysCount(page, total, language === "" ? "en" : "es");
});

test("a home's reference in any spelling opens the home, without a script too", {
  tags: "every-browser",
}, async () => {
  const { ref, path } = await anyProperty();
  for (const [locale, q] of [
    ["", ref],
    ["/es", ref.toLowerCase().replace("-", " ")],
    // A pasted address.
    ["/es", `https://almijara.example${path}?utm_source=mail`],
  ] as const) {
    const address = `${locale}/property-for-sale?${new URLSearchParams({ q })}`;
    const response = await ask(address, { redirect: "manual" });
    expect([address, response.status, response.headers.get("location")]).toEqual([
      address,
      302,
      `${locale}${path}`,
    ]);
  }
  const page = await visitor(DESK);
  await open(page, "/");
  const field = page.getByRole("main").getByLabel("Where or what");
  await field.fill(ref);
  await field.press("Enter");
  await page.waitForURL(`**${path}`);
  await page.goBack();
  await page.waitForURL(`${BASE_URL}/`);
  // A part of a reference, or a reference with a filter, is a search.
  for (const address of [
    `/property-for-sale?q=${ref.slice(0, -1)}`,
    `/property-for-sale?maxPrice=1000&q=${ref}`,
  ]) {
    expect([address, (await ask(address, { redirect: "manual" })).status]).toEqual([address, 200]);
  }
});

test("a place that no longer exists is reported, and can be removed from the search", async () => {
  for (const [address, told] of [
    [
      "/property-for-sale?location=atlantis&location=nerja",
      "“Atlantis” is no longer one of our areas",
    ],
    ["/property-for-sale?notLocation=atlantis", "“Atlantis” is no longer one of our areas"],
    [
      "/es/property-for-sale?location=atlantis&location=nerja",
      "Aquí ya no hay ninguna zona «Atlantis»",
    ],
  ] as const) {
    expect(await (await ask(address)).text()).toContain(told);
  }
  const page = await visitor(DESK);
  await open(page, "/property-for-sale?location=atlantis&location=nerja");
  await page.getByRole("link", { name: "Remove filter: Atlantis" }).click();
  await page.waitForURL(`${BASE_URL}/property-for-sale/nerja`);
  await page.getByText("is no longer one of our areas").waitFor({ state: "detached" });
});

test("quoted words are shown in one pair of quotation marks", async () => {
  const html = await (await ask("/es/property-for-sale?q=%22nada+de+eso%22")).text();
  expect(html).toContain("«nada de eso»");
});

describe.each([
  {
    locale: "en",
    words: "new build flat up to 3 bedrooms without a lift not in nerja under £900k",
    chips: [
      /^Remove filter: Apartments$/,
      /^Remove filter: New build$/,
      /^Remove filter: up to 3 bedrooms$/,
      /^Remove filter: without lift$/,
      /^Remove filter: not in Nerja$/,
      /^Remove filter: up to €1,047,000 \(£900,000 at £0\.86 to the euro, \w+ \d{4}\)$/,
    ],
    rent: "villa to rent in nerja",
    forSale: "We sell homes and have none to rent.",
    box: "New build",
    orders: [
      ["", "Newest First"],
      ["oldest", "Oldest First"],
      ["price-asc", "Price Ascending"],
      ["price-desc", "Price Descending"],
      ["price-per-m2", "Price per m²"],
      ["reduced", "Just Reduced"],
    ],
    sort: "Price per m²",
    perMetre: /per m²$/,
  },
  {
    locale: "es",
    words:
      "piso de obra nueva hasta 3 dormitorios sin ascensor que no sea en nerja hasta 900.000 libras",
    chips: [
      /^Quitar filtro: Pisos$/,
      /^Quitar filtro: Obra nueva$/,
      /^Quitar filtro: hasta 3 dormitorios$/,
      /^Quitar filtro: sin ascensor$/,
      /^Quitar filtro: fuera de Nerja$/,
      /^Quitar filtro: hasta 1\.047\.000\s€ \(900\.000\s£ a 0,86\s£ por euro, \w+ de \d{4}\)$/,
    ],
    rent: "villa en alquiler en nerja",
    forSale: "Vendemos inmuebles y no los alquilamos.",
    box: "Obra nueva",
    orders: [
      ["", "Más recientes"],
      ["oldest", "Más antiguos"],
      ["price-asc", "Precio ascendente"],
      ["price-desc", "Precio descendente"],
      ["price-per-m2", "Precio por m²"],
      ["reduced", "Rebajados recientemente"],
    ],
    sort: "Precio por m²",
    perMetre: /por m²$/,
  },
] as const)("in the words of $locale", ({ locale, words, chips, rent, ...labels }) => {
  const list = `${locale === "es" ? "/es" : ""}/property-for-sale`;

  test("exclusions, bounds and pounds are chips, and stay when more is ticked", async () => {
    const page = await visitor({ ...DESK, javaScriptEnabled: false });
    await page.goto(`${list}?q=${encodeURIComponent(words)}`, READABLE);
    for (const name of chips) await page.getByRole("link", { name }).waitFor();
    await page.locator("input[name=energy][value=A]").check();
    await page.locator("button[form=filters-form]").click();
    await page.waitForURL(({ searchParams }) => searchParams.has("energy"), READABLE);
    const { searchParams } = new URL(page.url());
    expect(
      ["maxBedrooms", "maxPrice", "newBuild", "notLocation", "withoutFeatures"].map((name) =>
        searchParams.getAll(name).join(),
      ),
    ).toEqual(["3", "1047000", "true", "nerja", "lift"]);
  });

  test("a search for a rental says that these homes are for sale", async () => {
    const page = await visitor({ ...DESK, javaScriptEnabled: false });
    await page.goto(`${list}?q=${encodeURIComponent(rent)}`, READABLE);
    await page.getByText(labels.forSale).waitFor();
    expect(await page.getByRole("article").count()).toBeGreaterThan(0);
  });

  test("new builds are ticked, and the list is ordered by the price of a square metre", async () => {
    const page = await visitor(DESK);
    await open(page, list);
    await page.getByRole("checkbox", { name: labels.box }).check();
    await page.waitForURL(`**${list}?newBuild=true`);
    await saysCount(page, (await found("/property-for-sale?newBuild=true")).total, locale);
    const sort = page.locator("select[name=sort]");
    const orders = await sort
      .locator("option")
      .evaluateAll((all) => (all as HTMLOptionElement[]).map(({ value, text }) => [value, text]));
    expect(orders).toEqual(labels.orders);
    await sort.selectOption({ label: labels.sort });
    await page.waitForURL(`**${list}?newBuild=true&sort=price-per-m2`);
    const told = page.getByRole("article").getByText(labels.perMetre);
    await told.first().waitFor();
    const prices = (await told.allTextContents()).map((text) => Number(text.replace(/m²|\D/g, "")));
    expect(prices.length).toBeGreaterThan(1);
    expect(prices).toEqual(prices.toSorted((a, b) => a - b));
  });
});

test("an empty list suggests which filter to remove, and how many homes that finds", async () => {
  const page = await visitor(DESK);
  const address = "/property-for-sale/nerja?maxPrice=1000&propertyType=House";
  const { total, loosen } = await found(address);
  expect([total, loosen.length > 0]).toEqual([0, true]);
  await open(page, address);
  await hydrated(page.locator("#filters-form"));
  const way = await hydrated(page.getByRole("link", { name: /^Remove: up to €1,000/ }));
  const told = loosen.find(({ parameters }) => parameters.includes("maxPrice"));
  expect(await way.textContent()).toMatch(counted(told?.count ?? 0));
  const alert = page.getByRole("link", { name: "Email me when there is one" });
  expect(await alert.getAttribute("href")).toBe(
    "/save-search?location=nerja&maxPrice=1000&propertyType=House",
  );
  await way.press("Enter");
  await page.waitForURL("**/property-for-sale/nerja?propertyType=House");
  await saysCount(page, told?.count ?? 0);
  // The focus moves to the remaining filters, or without any to the first home.
  await waitForFocus(page.locator("main a.chip").first());
  await open(page, address);
  await hydrated(page.locator("#filters-form"));
  const clear = page.getByRole("link", { name: "Clear all filters" }).last();
  await (await hydrated(clear)).press("Enter");
  await page.waitForURL("**/property-for-sale");
  await waitForFocus(page.getByRole("article").first().getByRole("link"));
});

test("a field that is focused while a filter is being removed keeps the focus", async () => {
  const page = await visitor(DESK);
  await open(page, "/property-for-sale?features=pool&features=terrace");
  const form = await hydrated(page.locator("#filters-form"));
  const { promise: awaited, resolve: release } = Promise.withResolvers<void>();
  await page.route("**/api/properties?*", async (route) => {
    await awaited;
    await route.continue();
  });
  await page.locator("main a.chip").first().click();
  const least = form.locator("input[name=minPrice]");
  await least.focus();
  release();
  await page.waitForURL((url) => url.searchParams.getAll("features").length === 1);
  await expect.poll(() => page.locator("main a.chip").count()).toBe(1);
  expect(await hasFocus(least)).toBe(true);
  await least.pressSequentially("250000");
  await page.waitForURL((url) => url.searchParams.get("minPrice") === "250000");
});

test("a filter that is being removed does not return when another is ticked", async () => {
  const page = await visitor(DESK);
  await open(page, "/property-for-sale?status=for_sale&status=sold");
  const form = await hydrated(page.locator("#filters-form"));
  const { promise: awaited, resolve: release } = Promise.withResolvers<void>();
  await page.route("**/api/properties?*", async (route) => {
    await awaited;
    // It may have been cancelled.
    await route.continue().catch(() => undefined);
  });
  const asks = (statuses: string, reduced: string | null) =>
    page.waitForRequest((request) => {
      const { pathname, searchParams } = new URL(request.url());
      const isSame =
        String(searchParams.getAll("status").sort()) === statuses &&
        searchParams.get("reduced") === reduced;
      return pathname === "/api/properties" && isSame;
    });
  const without = asks("sold", null);
  await page.locator("main a.chip").first().click();
  await without;
  const ticked = asks("sold,under_offer", null);
  await form.locator("input[name=status][value=under_offer]").check();
  await ticked;
  // A filter that is ticked and unticked meanwhile is gone as well.
  const last = asks("sold", "true");
  await form.locator("input[name=reduced]").check();
  await form.locator("input[name=status][value=under_offer]").uncheck();
  await last;
  release();
  await page.waitForURL("**/property-for-sale?reduced=true&status=sold");
  const before = form.locator("input[name=status][value=for_sale]");
  await expect.poll(() => before.isChecked()).toBe(false);
});

test("open filters can still be closed after the screen is turned", async () => {
  const page = await visitor({ viewport: { width: 820, height: 1180 } });
  await open(page, "/property-for-sale");
  const form = page.locator("#filters-form");
  await page.getByRole("button", { name: /^Filters/ }).click();
  const close = page.getByRole("button", { name: "Close the filters" });
  await close.waitFor();
  await page.setViewportSize({ width: 1180, height: 820 });
  expect(await form.getByRole("button", { name: /^Show / }).isVisible()).toBe(true);
  await close.click();
  await close.waitFor({ state: "hidden" });
  expect(await form.isVisible()).toBe(true);
  const overflow = () => page.evaluate(() => getComputedStyle(document.documentElement).overflowY);
  await expect.poll(overflow).not.toBe("hidden");
});

test("following the link to other properties by key moves the focus to that filter", async () => {
  const page = await visitor(DESK);
  await open(page, "/property-for-sale");
  await hydrated(page.locator("#filters-form"));
  const others = page.getByRole("link", { name: / garages, plots and premises$/ });
  await (await hydrated(others)).press("Enter");
  await page.waitForURL("**/property-for-sale?propertyType=Commercial");
  const chip = page.locator("main a.chip").first();
  await waitForFocus(chip);
});

test("a type in a place is its own canonical page; narrower searches belong to the place", async () => {
  const head = async (path: string) => {
    const html = await (await ask(path)).text();
    const { titles, descriptions, canonical } = headOf(html);
    return {
      title: titles[0],
      heading: elements(html, "h1")[0],
      description: descriptions[0],
      canonical: addressOf(canonical[0]),
    };
  };
  const own = "/property-for-sale/nerja?propertyType=House";
  const { total } = await found(own);
  const page = await head(own);
  expect(page).toMatchObject({ heading: "Houses for sale in Nerja", canonical: own });
  expect(page.title).toMatch(/^Houses for sale in Nerja \| /);
  expect(page.description).toContain(`${total} homes`);
  const narrower = await head("/property-for-sale/nerja?features=pool&propertyType=House");
  expect(narrower.canonical).toBe("/property-for-sale/nerja");
  expect((await head(`/es${own}`)).heading).toBe("Casas en venta en Nerja");
  const map = await (await ask("/sitemaps/en-places-1.xml")).text();
  expect(map).toContain(`${own}</loc>`);
  expect(map).not.toContain("features=");
});

test("placeholder cards are shown while a list is loading, and only then", async () => {
  const page = await visitor(DESK);
  // Their script is prefetched when the browser is idle.
  const cards = page.waitForResponse(/\/waiting-cards-/);
  await open(page, "/property-for-sale");
  await (await cards).finished();
  const answer = Promise.withResolvers<void>();
  await page.route("**/api/properties?*propertyType=House*", async (route) => {
    await answer.promise;
    await route.continue();
  });
  const waiting = page.getByText("Loading homes", { exact: true });
  await page.getByRole("checkbox", { name: "Houses" }).check();
  await waiting.waitFor({ state: "attached" });
  expect(await page.getByRole("article").count()).toBe(0);
  answer.resolve();
  await page.waitForURL("**?propertyType=House");
  await waiting.waitFor({ state: "detached" });
  expect(await page.getByRole("article").count()).toBeGreaterThan(0);
});

test("without a script every filter is a field, and the list is beside the map", async () => {
  const page = await visitor({ ...DESK, javaScriptEnabled: false });
  await page.goto("/property-for-sale", READABLE);
  expect(await page.getByRole("slider").count()).toBe(0);
  await page.locator("input[name=maxPrice]").fill("400,000");
  await page.locator("input[name=minBuilt]").fill("80");
  await page.locator("select[name=minBedrooms]").selectOption("2");
  await page.getByRole("checkbox", { name: "Apartments" }).check();
  await page.getByRole("button", { name: "Show results" }).click();
  await page.waitForURL(
    "**?maxPrice=400000&minBedrooms=2&minBuilt=80&propertyType=Apartment",
    READABLE,
  );
  await saysCount(page, (await found(page.url())).total);
  await page.setViewportSize(PHONE.viewport);
  await page.goto("/property-for-sale?view=map", READABLE);
  await page.getByRole("group", { name: "Map of the properties" }).waitFor();
  expect(await page.getByRole("article").count()).toBeGreaterThan(0);
});
