import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { spanish } from "./addresses.ts";
import {
  ask,
  BASE_URL,
  expectFaults,
  hydrated,
  listed,
  open,
  openWhole,
  READABLE,
  visitor,
} from "./site.ts";

const YEAR_SECONDS = 365 * 24 * 60 * 60;

const menu = (page: Page, name: string) =>
  page
    .getByRole("banner")
    .locator("details")
    .filter({ has: page.locator("summary", { hasText: name }) });
const areas = (page: Page) => menu(page, "Areas");
const areasMenu = (page: Page) => areas(page).getByRole("list");

test("the header's links are right, in both languages and without a script", async () => {
  const page = await visitor({ javaScriptEnabled: false });
  for (const [home, prefix] of [
    ["/", ""],
    ["/es", "/es"],
  ] as const) {
    await page.goto(home, READABLE);
    const bar = page.getByRole("banner").locator("nav").first();
    const hrefs = bar
      .locator("a")
      .evaluateAll((all) => all.map((each) => each.getAttribute("href")));
    expect(await hrefs).toEqual(
      [
        "/property-for-sale",
        "/new-properties",
        "/reduced-properties",
        "/buying-a-property",
        "/selling-a-property",
        "/enquiry?kind=valuation",
        "/marketing",
        "/pricing",
        "/property-for-sale/torrox",
        "/property-for-sale/nerja",
        "/property-for-sale/frigiliana",
        "/property-for-sale/el-morche",
        "/marbella-villa-rentals",
        "/about",
        "/proadner-property-administration",
        "/docs",
        "/news",
        "/contact-us",
      ].map((path) => prefix + path),
    );
    const logo = page.getByRole("banner").getByRole("link").first();
    expect(await logo.getAttribute("href")).toBe(home);
  }
});

test("a menu of the header is there as soon as the mouse is, and goes with it", {
  tags: "every-browser",
}, async () => {
  const page = await visitor();
  await open(page, "/");
  const button = areas(page).locator("summary");
  await button.hover();
  // A header that is not hydrated yet reacts to the mouse once it is.
  await areasMenu(page).waitFor();
  const [above, below] = await Promise.all([button.boundingBox(), areasMenu(page).boundingBox()]);
  expect((below?.y ?? 0) - (above?.y ?? 0) - (above?.height ?? 0)).toBeCloseTo(8, 0);

  const links = areasMenu(page).getByRole("link");
  expect(await links.evaluateAll((all) => all.map((each) => each.getAttribute("href")))).toEqual([
    ...["torrox", "nerja", "frigiliana", "el-morche"].map((slug) => `/property-for-sale/${slug}`),
    "/marbella-villa-rentals",
  ]);
  for (const entry of await links.all()) {
    expect(await entry.locator("small").count()).toBe(1);
    expect(await entry.locator("svg.icon").count()).toBe(1);
  }

  // A habitual click leaves it open, and reopens it after Escape.
  await button.click();
  expect(await areasMenu(page).isVisible()).toBe(true);
  await page.keyboard.press("Escape");
  await areasMenu(page).waitFor({ state: "hidden" });
  await button.click();
  expect(await areasMenu(page).isVisible()).toBe(true);

  await menu(page, "About").locator("summary").hover();
  await areasMenu(page).waitFor({ state: "hidden" });
  await button.hover();
  expect(await areasMenu(page).isVisible()).toBe(true);
  await links.nth(1).click();
  await page.waitForURL("**/property-for-sale/nerja");
  await areasMenu(page).waitFor({ state: "hidden" });
});

test("a menu of the header opens at a touch, and closes at one elsewhere", async () => {
  const page = await visitor({ hasTouch: true });
  await open(page, "/");
  await areas(page).locator("summary").tap();
  await areasMenu(page).waitFor();
  await page.touchscreen.tap(1200, 850);
  await areasMenu(page).waitFor({ state: "hidden" });
});

test("a menu of the header closes when the focus moves on by keys", async () => {
  const page = await visitor();
  await open(page, "/");
  await areas(page).locator("summary").focus();
  await page.keyboard.press("Enter");
  await areasMenu(page).waitFor();
  await areasMenu(page).getByRole("link").last().focus();
  await page.keyboard.press("Tab");
  await areasMenu(page).waitFor({ state: "hidden" });
});

test("below the large breakpoint the menu fills the screen, until it has led somewhere", async () => {
  const page = await visitor({ viewport: { width: 1023, height: 800 } });
  await openWhole(page, "/");
  const bar = page.getByRole("banner").getByRole("navigation", { name: "Main menu" });
  await page.getByRole("button", { name: "Menu", exact: true }).click();
  const panel = page.locator("#menu");
  expect(await panel.boundingBox()).toEqual({ x: 0, y: 0, width: 1023, height: 800 });
  await panel.getByRole("link", { name: /^Frigiliana/ }).click();
  await page.waitForURL("**/property-for-sale/frigiliana");
  await panel.waitFor({ state: "hidden" });

  // A tablet that is turned with the menu open.
  await page.getByRole("button", { name: "Menu", exact: true }).click();
  await panel.waitFor();
  await page.setViewportSize({ width: 1024, height: 800 });
  await panel.waitFor({ state: "hidden" });
  await bar.waitFor();
  await page.getByRole("button", { name: "Menu", exact: true }).waitFor({ state: "hidden" });
  await page.getByRole("banner").getByRole("link", { name: "Proadner" }).click();
  await page.waitForURL("**/proadner-property-administration");
});

test("the footer says who we are and where everything is, in both languages", async () => {
  const { settings } = (await (await ask("/api/site?locale=en")).json()) as {
    settings: Record<
      "legalName" | "taxId" | "street" | "postalCode" | "town" | "province",
      string
    > &
      Record<"phones" | "emails", string[]>;
  };
  const page = await visitor();
  for (const [home, prefix] of [
    ["/", ""],
    ["/es", "/es"],
  ] as const) {
    await open(page, home);
    const footer = page.getByRole("contentinfo");
    const hrefs = await footer
      .getByRole("link")
      .evaluateAll((all) => all.map((each) => each.getAttribute("href") ?? ""));
    for (const path of [
      "/property-for-sale/torrox",
      "/property-for-sale/nerja",
      "/property-for-sale/frigiliana",
      "/property-for-sale/el-morche",
      "/marbella-villa-rentals",
      "/property-for-sale?propertyType=House",
      "/property-for-sale?propertyType=Apartment",
      "/property-for-sale?propertyType=Commercial",
      "/property-for-sale?reduced=true",
      "/buying-a-property",
      "/selling-a-property",
      "/contact-us",
      "/about",
      "/news",
      "/docs",
      "/pricing",
      "/marketing",
      "/login",
      "/new-properties",
      "/nerja-malaga-east",
      "/torrox-property-for-sale",
      "/terms",
      "/privacy",
      "/cookies",
      "/accessibility",
    ]) {
      expect(hrefs).toContain(prefix + path);
    }
    // There is one link to reduced homes.
    expect(hrefs.filter((href) => href.includes("reduced"))).toHaveLength(1);
    expect(hrefs.filter((href) => href.startsWith("tel:"))).toHaveLength(2);
    expect(hrefs.filter((href) => href.startsWith("mailto:"))).toEqual(
      settings.emails.map((email) => `mailto:${email}`),
    );
    const social = hrefs.filter((href) => /^https:(?!\/\/wa\.me)/.test(href));
    expect(social).toHaveLength(2);
    expect(new Set(social).size).toBe(1);
    const address = await footer.locator("address p").first().innerText();
    expect(address.split("\n")).toEqual([
      settings.street,
      `${settings.postalCode} ${settings.town}, ${settings.province}`,
    ]);
    const text = (await footer.textContent()) ?? "";
    // A cached page may be from the previous year.
    const year = Number(
      new Date().toLocaleDateString("en-GB", { year: "numeric", timeZone: "Europe/Madrid" }),
    );
    expect([year, year - 1].some((each) => text.includes(`© ${each} ${settings.legalName}`))).toBe(
      true,
    );
    for (const part of [settings.taxId, ...settings.phones]) expect(text).toContain(part);
    const logos = footer.locator("a > svg[width]");
    expect(await logos.evaluateAll((all) => all.map((each) => each.clientWidth))).toEqual([
      185, 160,
    ]);
  }
});

test("switching the language keeps the page, query and anchor, and is remembered for a year", {
  tags: "every-browser",
}, async () => {
  const page = await visitor();
  await open(page, "/property-for-sale?propertyType=House#content");
  await page.getByRole("banner").getByRole("link", { name: "Español" }).click();
  await page.waitForURL("**/es/property-for-sale?propertyType=House#content");
  const [cookie] = await page.context().cookies();
  expect(cookie).toMatchObject({ name: "language", value: "es", path: "/", sameSite: "Lax" });
  expect((cookie?.expires ?? 0) - Date.now() / 1000).toBeGreaterThan(YEAR_SECONDS - 60);
  // Firefox reports the expiry in whole seconds, rounded up.
  const lasts = Math.floor((cookie?.expires ?? 0) - Date.now() / 1000);
  expect(lasts).toBeLessThanOrEqual(YEAR_SECONDS);
});

test("the colours follow the choice, the other tabs too, and then the device again", async () => {
  const page = await visitor({ colorScheme: "dark" });
  await open(page, "/");
  const other = await page.context().newPage();
  await open(other, "/contact-us");
  // From hydration on, a tab follows the choice in other tabs.
  await hydrated(other.getByRole("contentinfo").getByRole("button", { name: "Light" }));
  const bar = () =>
    page.evaluate(() => {
      const all = [...document.querySelectorAll<HTMLMetaElement>("meta[name=theme-color]")];
      return all.find(({ media }) => matchMedia(media).matches)?.content;
    });
  const choose = (name: string) =>
    page.getByRole("contentinfo").getByRole("button", { name }).click();
  const ground = (tab = page) =>
    tab.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);

  const dark = await ground();
  expect(await bar()).toBe("#111827");
  await choose("Light");
  expect(await bar()).toBe("white");
  const light = await ground();
  expect(light).not.toBe(dark);
  await expect.poll(() => ground(other)).toBe(light);
  await other.getByRole("contentinfo").scrollIntoViewIfNeeded();
  await other
    .getByRole("contentinfo")
    .locator("button[aria-pressed=true]", { hasText: "Light" })
    .waitFor();
  await choose("Automatic");
  expect(await bar()).toBe("#111827");
  expect(await ground()).toBe(dark);
  await expect.poll(() => ground(other)).toBe(dark);
});

test("a fault while rendering shows the error page, and the way home clears it", async () => {
  const page = await visitor();
  await open(page, "/");
  await page.route("**/api/properties?*", (route) =>
    route.fulfill({ json: { nothing: "that a page could show" } }),
  );
  await page.getByRole("contentinfo").getByRole("link", { name: "Nerja", exact: true }).click();
  await page.getByRole("heading", { name: "An error occurred" }).waitFor();
  await page.getByText("This is not the page you're looking for.").waitFor();
  expect(await page.evaluate(() => scrollY)).toBe(0);
  expectFaults(/TypeError/);
  await page.getByRole("link", { name: "Go back home" }).click();
  await page.waitForURL(`${BASE_URL}/`);
  await page.getByRole("search").waitFor();
});

test("an address that has moved leads on, in a document and in a step", async () => {
  for (const [from, status, to] of [
    ["/properties", 308, "/property-for-sale"],
    ["/blog", 301, "/news"],
    ["/es/blog", 301, "/es/news"],
    ["/holiday-rentals", 410, null],
  ] as const) {
    const response = await ask(from, { redirect: "manual" });
    expect([from, response.status, response.headers.get("location")]).toEqual([from, status, to]);
  }
  const page = await visitor();
  await open(page, "/es/privacy");
  await page.evaluate(() => {
    document.documentElement.dataset.same = "document";
    document
      .querySelector(".prose")
      ?.insertAdjacentHTML("afterbegin", '<a href="/es/properties">B</a>');
  });
  await page.locator('.prose a[href="/es/properties"]').click();
  await page.waitForURL("**/es/property-for-sale");
  await page.getByRole("article").first().waitFor();
  expect(await page.evaluate(() => document.documentElement.dataset.same)).toBe("document");
  // The browser logs only the requests that found no page.
  expectFaults(/404 \(Not Found\)/);
});

test("the door of the client area has no menus, and leads in and back", async () => {
  for (const path of ["/login", "/signup"]) {
    for (const address of [path, spanish(path)]) {
      const response = await ask(address);
      expect(response.status).toBe(200);
      expect(await response.text()).toContain('<meta name="robots" content="noindex"/>');
    }
  }
  const page = await visitor();
  await open(page, "/");
  await page.getByRole("contentinfo").getByRole("link", { name: "Client area" }).click();
  await page.getByRole("heading", { level: 1, name: "Sign in" }).waitFor();
  expect(await page.getByRole("navigation").count()).toBe(0);
  await page.getByRole("main").getByRole("link", { name: "No account yet? Open one" }).click();
  await page.waitForURL("**/signup");
  await page.getByRole("heading", { level: 1, name: "Open an account" }).waitFor();
  await page.getByRole("banner").getByRole("link", { name: "Almijara Homes" }).click();
  await page.getByRole("navigation", { name: "Main menu" }).first().waitFor();
});

test("each new page's title is announced once, in any layout", async () => {
  const page = await visitor();
  await open(page, "/");
  await page.evaluate(() => {
    const told: string[] = [];
    Object.assign(window, { told });
    // What a screen reader announces: texts that are added to a live region.
    new MutationObserver((changes) => {
      const places = new Set(
        changes.map(({ target }) =>
          (target instanceof Element ? target : target.parentElement)?.closest("[role=status]"),
        ),
      );
      for (const place of places) if (place?.textContent) told.push(place.textContent);
    }).observe(document, { childList: true, characterData: true, subtree: true });
  });
  const told = () => page.evaluate(() => (window as unknown as { told: string[] }).told.splice(0));
  const footer = page.getByRole("contentinfo");
  const main = page.getByRole("main");
  for (const [link, path, title] of [
    [footer.getByRole("link", { name: "Client area" }), "/login", /^Sign in/],
    [main.getByRole("link", { name: "No account yet? Open one" }), "/signup", /^Open an account/],
    [page.getByRole("banner").getByRole("link", { name: "Almijara Homes" }), "/", /^Almijara/],
    [page.getByRole("banner").getByRole("link", { name: /Favourites/ }), "/account", /^Favourites/],
    [main.getByRole("link", { name: "Recently viewed" }), "/account/recent", /^Recently viewed/],
    [footer.getByRole("link", { name: "Privacy" }), "/privacy", /^Privacy/],
  ] as const) {
    await link.first().click();
    await page.waitForURL(`${BASE_URL}${path}`);
    await expect.poll(() => page.title()).toMatch(title);
    const heard: string[] = [];
    await expect
      .poll(async () => {
        heard.push(...(await told()));
        return heard;
      })
      .toEqual([await page.title()]);
  }
});

test("only the opened home's photograph is animated to its page", async () => {
  const page = await visitor();
  await page.addInitScript(() => {
    const start = document.startViewTransition.bind(document);
    const carried = () => document.querySelectorAll(".carried-photo").length;
    document.startViewTransition = (update) => {
      const before = carried();
      const transition = start(update);
      transition.ready.then(
        () => {
          document.documentElement.dataset.carried = `${before} ${carried()}`;
        },
        (error: unknown) => {
          document.documentElement.dataset.carried = String(error);
        },
      );
      return transition;
    };
  });
  const carried = () =>
    page
      .waitForFunction(() => document.documentElement.dataset.carried)
      .then((it) => it.jsonValue());
  await open(page, "/property-for-sale");
  const [, second] = await listed("");
  await page
    .getByRole("link", { name: second?.title ?? "", exact: true })
    .first()
    .click();
  await page.getByRole("heading", { level: 1, name: second?.title ?? "" }).waitFor();
  expect(await carried()).toBe("1 1");

  // From one home to a similar one: the first one's photograph is not animated.
  await page.evaluate(() => delete document.documentElement.dataset.carried);
  await page.locator("section article").last().getByRole("heading").getByRole("link").click();
  expect(await carried()).toBe("1 1");
});

test("with reduced motion a home opens without animation", async () => {
  const page = await visitor({ reducedMotion: "reduce" });
  await page.addInitScript(() => {
    const start = document.startViewTransition.bind(document);
    document.startViewTransition = (update) => {
      const transition = start(update);
      transition.ready.then(() => {
        const { documentElement: root } = document;
        root.dataset.movement = ["group", "old", "new"]
          .flatMap((part) => ["root", "header", "photo"].map((name) => `${part}(${name})`))
          .map((each) => getComputedStyle(root, `::view-transition-${each}`).animationName)
          .filter((name) => name !== "none")
          .concat("looked")
          .join(" ");
      });
      return transition;
    };
  });
  await open(page, "/property-for-sale");
  await page.getByRole("article").first().getByRole("link").click();
  await page.waitForURL("**/property-for-sale/*/*");
  const movement = await page.waitForFunction(() => document.documentElement.dataset.movement);
  expect(await movement.jsonValue()).toBe("looked");
});

test("the catalogue is not for visitors", async () => {
  expect((await ask("/catalogue")).status).toBe(404);
});
