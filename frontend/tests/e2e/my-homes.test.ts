import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { readPrint } from "../sheet-file.ts";
import { spanish } from "./addresses.ts";
import { axeFaults } from "./axe.ts";
import { newAddress, signIn } from "./mail.ts";
import {
  anyProperty,
  ask,
  coveringElement,
  expectFaults,
  hasFocus,
  type ListedProperty,
  listed,
  open,
  READABLE,
  visitor,
  waitForFocus,
} from "./site.ts";

const PHONE = { width: 390, height: 844 };

const cards = (page: Page) => page.getByRole("main").getByRole("article");
const hearts = (page: Page) => page.getByRole("main").getByRole("button", { name: /^Favourite: / });

/** Marks the first `count` homes of the list as favourites, and returns their references. */
async function like(page: Page, count: number): Promise<string[]> {
  await open(page, "/property-for-sale");
  const references: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const heart = hearts(page).nth(index);
    await heart.click();
    await expect.poll(() => heart.getAttribute("aria-pressed")).toBe("true");
    references.push((await heart.getAttribute("aria-label"))?.replace("Favourite: ", "") ?? "");
  }
  return references;
}

test("a favourite is kept, with its note, in every tab and after a reload", {
  tags: "every-browser",
}, async () => {
  const page = await visitor({ viewport: PHONE });
  const other = await page.context().newPage();
  await other.goto("/account");
  await other.getByRole("heading", { name: "No favourites yet" }).waitFor();
  const [reference = ""] = await like(page, 1);
  // At once, since the toast soon disappears.
  await page.getByRole("button", { name: "View them" }).click();
  await page.waitForURL("**/account");
  await other.getByText(reference).first().waitFor({ state: "attached" });
  await page.getByLabel(`Your note ${reference}`).pressSequentially("Ask about the lift");
  await page.getByRole("button", { name: "Save the note" }).click();
  await page.getByText("Your note is saved").waitFor();
  await page.reload();
  await expect
    .poll(() => page.getByLabel(`Your note ${reference}`).inputValue())
    .toBe("Ask about the lift");
  await page.getByRole("link", { name: "Favourites" }).first().waitFor();
  expect(await axeFaults(page)).toEqual([]);
});

/** Returns every home of the site. */
async function everyHome(): Promise<ListedProperty[]> {
  const found: ListedProperty[] = [];
  for (let page = 1; ; page += 1) {
    const response = await ask(`/api/properties?locale=en&perPage=100&page=${page}`);
    const { items } = (await response.json()) as { items: ListedProperty[] };
    if (items.length === 0) return found;
    found.push(...items);
  }
}

test("more than a hundred favourites are all there, some at a time, and in the order of prices", async () => {
  const homes = (await everyHome()).sort(
    (a, b) => (b.price ?? Number.MAX_VALUE) - (a.price ?? Number.MAX_VALUE),
  );
  expect(homes.length).toBeGreaterThan(100);
  const gone = Array.from({ length: 30 }, (_, index) => `GONE-${index}`);
  // The cheapest was marked first, so it is listed last.
  const references = [...gone, ...homes.map(({ ref }) => ref)];
  const page = await visitor();
  await page.addInitScript((references) => {
    const kept = references.map((reference, index) => ({
      reference,
      favourite: true,
      changedAt: new Date(Date.UTC(2026, 1, 1) - index * 60_000).toISOString(),
    }));
    localStorage.setItem("my-homes", JSON.stringify(kept));
  }, references);
  await open(page, "/account");
  await page.getByText(`${references.length} favourites`).waitFor();
  await expect.poll(() => cards(page).count()).toBe(48);
  for (let shown = 48; shown < references.length; shown += 48) {
    await page.getByRole("button", { name: /^Show \d+ more$/ }).press("Enter");
    await expect.poll(() => cards(page).count()).toBe(Math.min(shown + 48, references.length));
    // The focus is on the first of the new cards.
    const next = cards(page).nth(shown);
    expect(await next.evaluate((card) => card.contains(document.activeElement))).toBe(true);
  }
  expect(await page.getByRole("button", { name: /^Show \d+ more$/ }).count()).toBe(0);
  const cheapest = homes.at(-1)?.ref ?? "";
  expect(await cards(page).last().getAttribute("data-ref")).toBe(cheapest);
  await page.getByLabel("Sort by").selectOption("cheapest");
  await expect.poll(() => cards(page).first().getAttribute("data-ref")).toBe(cheapest);
});

test("by keys alone a home is marked on its page and listed among those seen last", async () => {
  const page = await visitor();
  await open(page, "/property-for-sale");
  await cards(page).first().getByRole("link").first().focus();
  await page.keyboard.press("Enter");
  await page.waitForURL("**/property-for-sale/*/*");
  const favourite = page.getByRole("button", { name: "Favourite", exact: true });
  await favourite.focus();
  await page.keyboard.press("Space");
  await expect.poll(() => favourite.getAttribute("aria-pressed")).toBe("true");
  const title = await page.getByRole("heading", { level: 1 }).innerText();
  await open(page, "/account/recent");
  await cards(page)
    .filter({ hasText: title.replace(/\s+/g, " ") })
    .getByText("Seen")
    .waitFor();
  expect(await axeFaults(page)).toEqual([]);
});

test("clearing the homes seen last can be undone until the page is left, and then stays", async () => {
  const { path, ref } = await anyProperty();
  const page = await visitor({ viewport: PHONE });
  const memory = () =>
    page.evaluate(() => [localStorage.getItem("my-homes"), localStorage.getItem("last-looks")]);
  await open(page, path);
  await expect.poll(async () => (await memory()).every((text) => text?.includes(ref))).toBe(true);
  await open(page, spanish("/account/recent"));
  const card = page.locator(`article[data-ref="${ref}"]`);
  await card.waitFor();
  expect(await axeFaults(page)).toEqual([]);
  await page.getByRole("button", { name: "Vaciar esta lista" }).press("Enter");
  await page.getByRole("heading", { name: "Aquí aparecen las viviendas que vea" }).waitFor();
  expect(await memory()).toEqual(["[]", null]);
  await page.getByRole("button", { name: "Recuperarla" }).click();
  await card.waitFor();
  expect((await memory()).every((text) => text?.includes(ref))).toBe(true);

  await open(page, "/account/recent");
  await card.waitFor();
  await page.getByRole("button", { name: "Clear this list" }).press("Enter");
  await page.getByText("List cleared").waitFor();
  await open(page, "/account/recent");
  await page.getByRole("heading", { name: "Homes you look at will appear here" }).waitFor();
});

test("hiding, showing or removing a home by key keeps the focus in place", async () => {
  const page = await visitor();
  const main = page.getByRole("main");
  const [first = "", second = ""] = await like(page, 2);
  const button = (name: string) => main.getByRole("button", { name, exact: true });
  const hide = (reference: string) => button(`Not for me: ${reference}`);
  const show = (reference: string) => button(`Show again ${reference}`);
  await hide(first).press("Enter");
  await waitForFocus(show(first));
  await show(first).press("Enter");
  await waitForFocus(hide(first));
  await hide(first).press("Enter");
  await hide(second).press("Enter");
  await waitForFocus(show(second));

  const onward = main.getByRole("link", { name: "See the homes for sale" });
  await open(page, "/account/hidden");
  await show(second).press("Enter");
  await waitForFocus(show(first));
  await show(first).press("Enter");
  await waitForFocus(onward);

  await open(page, "/account");
  for (const reference of [first, second]) await page.getByLabel(`Compare ${reference}`).check();
  // The homes load while a button already has the focus.
  const homesCome = Promise.withResolvers<void>();
  await page.route("**/api/properties/*", async (route) => {
    await homesCome.promise;
    await route.continue();
  });
  await open(page, "/account/compare");
  const takeOut = main.getByRole("button", { name: /^Remove: / });
  await expect.poll(() => takeOut.count()).toBe(2);
  await takeOut.first().focus();
  homesCome.resolve();
  const homes = main.getByRole("columnheader").getByRole("link");
  await expect.poll(() => homes.count()).toBe(2);
  await page.keyboard.press("Enter");
  await expect.poll(() => takeOut.count()).toBe(1);
  await waitForFocus(takeOut);
  await takeOut.press("Enter");
  await waitForFocus(onward);

  await open(page, (await anyProperty()).path);
  const kept = () => page.evaluate(() => localStorage.getItem("my-homes"));
  await expect.poll(kept).toContain('"seenAt":"2');
  await open(page, "/account/recent");
  await button("Clear this list").press("Enter");
  await waitForFocus(button("Restore this list"));
  await button("Restore this list").press("Enter");
  await waitForFocus(button("Clear this list"));
});

test("removing a favourite moves the focus to another home's buttons, and not into its note", async () => {
  const page = await visitor({ viewport: PHONE });
  await like(page, 2);
  await open(page, "/account");
  await expect.poll(() => hearts(page).count()).toBe(2);
  await hearts(page).last().press("Enter");
  await expect.poll(() => cards(page).count()).toBe(1);
  const focused = () => page.evaluate(() => document.activeElement?.tagName);
  await expect.poll(focused).toMatch(/^(?:A|BUTTON)$/);
});

test("a half-written note survives a change of order", async () => {
  const page = await visitor();
  const [reference] = await like(page, 3);
  await open(page, "/account");
  const note = page.getByLabel(`Your note ${reference}`);
  await note.fill("Ask about the lift");
  for (const order of ["cheapest", "dearest"]) {
    await page.getByLabel("Sort by").selectOption(order);
    expect(await note.inputValue()).toBe("Ask about the lift");
  }
  await page.getByRole("button", { name: "Save the note" }).click();
  await page.getByText("Your note is saved").waitFor();
});

test("a hidden home is covered, and can be shown again", async () => {
  const page = await visitor();
  await open(page, "/property-for-sale");
  const hide = page.getByRole("button", { name: /^Not for me: / }).first();
  const reference = (await hide.getAttribute("aria-label"))?.replace("Not for me: ", "") ?? "";
  await hide.click();
  await page.getByText("Not for you").waitFor();
  await open(page, spanish("/account/hidden"));
  await cards(page)
    .getByRole("button", { name: `Mostrar de nuevo ${reference}` })
    .click();
  await page.getByRole("heading", { name: "No ha ocultado ninguna vivienda" }).waitFor();
  expect(await axeFaults(page)).toEqual([]);
});

test("four homes are compared side by side, a fifth is refused, and differences are marked", async () => {
  const page = await visitor({ viewport: PHONE });
  const references = await like(page, 5);
  await open(page, "/account");
  for (const reference of references.slice(0, 4)) {
    await page.getByLabel(`Compare ${reference}`).check();
  }
  await page.getByLabel(`Compare ${references[4]}`).click();
  await page.getByText("You are already comparing four homes").waitFor();
  // The toast stays while it is hovered.
  const compare = page.getByRole("button", { name: "Compare them" });
  await compare.hover();
  expect(await page.getByLabel(`Compare ${references[4]}`).isChecked()).toBe(false);
  await compare.click();
  await page.waitForURL("**/account/compare");
  const table = page.getByRole("table", { name: "Compare" });
  await expect.poll(() => table.getByRole("columnheader").getByRole("link").count()).toBe(4);
  await table.getByRole("rowheader", { name: "Price differs" }).waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  expect(await axeFaults(page)).toEqual([]);
  await table.getByRole("button", { name: `Remove: ${references[0]}` }).click();
  await expect.poll(() => table.getByRole("columnheader").getByRole("link").count()).toBe(3);
});

test("the sticky names of a comparison never cover the focused element", async () => {
  const references = (await listed("&status=for_sale")).slice(0, 4).map(({ ref }) => ref);
  const page = await visitor({ viewport: { width: 320, height: 640 }, reducedMotion: "reduce" });
  await page.addInitScript((references) => {
    const changedAt = new Date().toISOString();
    const homes = references.map((reference) => ({ reference, compared: true, changedAt }));
    localStorage.setItem("my-homes", JSON.stringify(homes));
  }, references);
  await open(page, spanish("/account/compare"));
  const stops = page.getByRole("table", { name: "Comparar" }).locator("a, button");
  await expect.poll(() => stops.count()).toBe(8);
  await stops.first().focus();
  for (const key of ["Tab", "Shift+Tab"]) {
    for (let stop = 1; stop < 8; stop += 1) {
      await page.keyboard.press(key);
      expect([key, stop, await coveringElement(page)]).toEqual([key, stop, undefined]);
    }
  }
});

test("a comparison prints on one sheet, with the agency's name and no controls", async () => {
  const page = await visitor({ colorScheme: "dark" });
  const references = await like(page, 4);
  await open(page, spanish("/account"));
  for (const reference of references) await page.getByLabel(`Comparar ${reference}`).check();
  await open(page, spanish("/account/compare"));
  const table = page.getByRole("table", { name: "Comparar" });
  await expect.poll(() => table.getByRole("columnheader").getByRole("link").count()).toBe(4);
  const { pages, text } = await readPrint(await page.pdf({ preferCSSPageSize: true }));
  expect(pages).toBe(1);
  for (const words of [...references, "Almijara Homes", "Precio por m²", "hay diferencias"]) {
    expect(text).toContain(words);
  }
  for (const words of ["Quitar", "Entre para", "Vistas hace poco"]) {
    expect(text).not.toContain(words);
  }
  // As wide as the paper without its margins: no home is cut off.
  await page.emulateMedia({ media: "print" });
  await page.setViewportSize({ width: 695, height: 900 });
  const frame = page.locator(".comparison");
  expect(await frame.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
});

test("a device's homes are in the account after signing in, and leave devices that sign out", async () => {
  const address = newAddress();
  const phone = await visitor({ viewport: PHONE });
  const [reference = ""] = await like(phone, 1);
  await signIn(phone, address, "/account");
  await phone.getByLabel(`Your note ${reference}`).fill("From the phone");
  await phone.getByRole("button", { name: "Save the note" }).click();
  await phone.getByText("Your note is saved").waitFor();
  expect(await phone.evaluate(() => localStorage.getItem("my-homes"))).toBeNull();

  const desk = await visitor();
  await like(desk, 2);
  await signIn(desk, address, "/account");
  await desk.getByText("2 favourites").waitFor();
  const note = desk.getByLabel(`Your note ${reference}`);
  await expect.poll(() => note.inputValue()).toBe("From the phone");

  // The homes seen last are cleared everywhere, and favourites stay.
  const { path } = await anyProperty();
  const noted = phone.waitForResponse("**/api/account/homes/*");
  await open(phone, path);
  await noted;
  await open(desk, "/account/recent");
  const clear = async () => {
    const forgotten = desk.waitForResponse((answer) => answer.request().method() === "DELETE");
    await desk.getByRole("button", { name: "Clear this list" }).click();
    // Another device learns of it only from the account.
    await forgotten;
    await desk.getByText("List cleared").last().waitFor();
  };
  await clear();
  await desk.getByRole("button", { name: "Restore this list" }).click();
  await clear();
  await open(phone, "/account/recent");
  await phone.getByRole("heading", { name: "Homes you look at will appear here" }).waitFor();
  await open(desk, "/account");
  await desk.getByText("2 favourites").waitFor();
  const list = await desk.context().newPage();
  await list.goto("/property-for-sale");
  const pressed = list.getByRole("main").locator("[aria-pressed=true]");
  await expect.poll(() => pressed.count()).toBeGreaterThan(0);
  await desk.getByRole("button", { name: "Sign out" }).click();
  await desk.waitForURL("**/login?outcome=signed-out");
  // Another tab learns of it when it becomes visible again.
  await list.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await expect.poll(() => pressed.count()).toBe(0);
  await list.close();
  await open(desk, "/account");
  await desk.getByRole("heading", { name: "No favourites yet" }).waitFor();
});

test("a tab that becomes visible shows the account's changes, or that it has signed out", async () => {
  const page = await visitor();
  const [reference = ""] = await like(page, 1);
  await signIn(page, newAddress(), "/account");
  const other = await page.context().newPage();
  const lookAt = () => other.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await open(other, "/account");
  const note = other.getByLabel(`Your note ${reference}`);
  await note.waitFor();
  await page.getByLabel(`Your note ${reference}`).fill("Ask about the lift");
  await page.getByRole("button", { name: "Save the note" }).click();
  await page.getByText("Your note is saved").waitFor();
  await lookAt();
  await expect.poll(() => note.inputValue()).toBe("Ask about the lift");

  await open(other, "/account/details");
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.waitForURL("**/login?outcome=signed-out");
  // The document may be gone before the call returns.
  await Promise.all([other.waitForURL("**/login?next=*"), lookAt().catch(() => undefined)]);
});

test("a note that can't be saved stays as typed, and so does what is typed while it is saved", async () => {
  const page = await visitor();
  const [reference = ""] = await like(page, 1);
  await signIn(page, newAddress(), "/account");
  const note = page.getByLabel(`Your note ${reference}`);
  const save = page.getByRole("button", { name: "Save the note" });
  await page.route("**/api/account/homes/*", (route) => route.fulfill({ status: 503 }));
  await note.fill("Ask about the lift");
  await save.press("Enter");
  await page.getByText("That could not be saved just now").waitFor();
  expect(await note.inputValue()).toBe("Ask about the lift");
  expect(await hasFocus(save)).toBe(true);
  expectFaults(/\b503\b/);

  const { promise: typed, resolve: goOn } = Promise.withResolvers<void>();
  await page.unroute("**/api/account/homes/*");
  await page.route("**/api/account/homes/*", async (route) => {
    await typed;
    await route.continue();
  });
  await save.press("Enter");
  await note.press("End");
  await page.keyboard.type(" and the pool");
  goOn();
  await page.getByText("Your note is saved").waitFor();
  expect(await note.inputValue()).toBe("Ask about the lift and the pool");
  const kept = page.waitForResponse("**/api/account/homes/*");
  await save.press("Enter");
  await kept;
  expect(await hasFocus(save)).toBe(true);
  await open(page, "/account");
  await expect.poll(() => note.inputValue()).toBe("Ask about the lift and the pool");
});

test("homes that can't be loaded are not shown as missing", async () => {
  const page = await visitor();
  const [reference = ""] = await like(page, 1);
  await signIn(page, newAddress(), "/account");
  const kept = page.waitForResponse("**/api/account/homes/*");
  await page.getByLabel(`Compare ${reference}`).check();
  await kept;
  await open(page, "/account/compare");
  await page.getByRole("button", { name: `Remove: ${reference}` }).waitFor();
  const away = { status: 503 };

  await page.route("**/api/properties/**", (route) => route.fulfill(away));
  await open(page, "/account/compare");
  await page.getByText("We can’t show this one just now").waitFor();
  await page.route("**/api/cards?**", (route) => route.fulfill(away));
  const alert = page.getByRole("main").getByRole("alert");
  const cannot = alert.filter({ hasText: "We can’t show your homes just now." });
  await open(page, "/account");
  await cannot.waitFor();

  await page.route("**/api/me", (route) => route.fulfill(away));
  for (const path of ["/account", "/account/compare", "/account/recent", "/account/hidden"]) {
    await open(page, path);
    await cannot.waitFor();
  }
  await open(page, "/es/account");
  await alert.filter({ hasText: "Ahora mismo no podemos mostrar sus viviendas." }).waitFor();
  expect(await axeFaults(page)).toEqual([]);
  expectFaults(/\b503\b/);

  // It never answers.
  await page.route("**/api/me", () => undefined);
  await open(page, "/account");
  await page.getByText("Loading your homes").waitFor();
  expect(await page.getByRole("heading", { name: "No favourites yet" }).count()).toBe(0);
});

test("without a script nothing that would need one is shown, and the page says so", async () => {
  const page = await visitor({ javaScriptEnabled: false });
  await page.goto("/account", READABLE);
  await page.getByText("this page needs JavaScript").waitFor();
  await page.goto("/property-for-sale", READABLE);
  // The styles, which hide what needs a script, may load later than the text.
  await cards(page).first().waitFor();
  expect(await page.getByRole("button", { name: /^Favourite/ }).count()).toBe(0);
});

test("a device with corrupt or no storage still works", async () => {
  const page = await visitor();
  await page.addInitScript(() => localStorage.setItem("my-homes", '[{"reference":7},"x"'));
  await like(page, 1);
  const forgetful = await visitor();
  await forgetful.addInitScript(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException("full", "QuotaExceededError");
    };
  });
  await like(forgetful, 1);
});

test("a home that has changed since the last visit shows its earlier price", async () => {
  const home = await anyProperty();
  const page = await visitor({ viewport: PHONE });
  await open(page, home.path);
  const look = () => page.evaluate(() => localStorage.getItem("last-looks") ?? "{}");
  await expect.poll(async () => Object.keys(JSON.parse(await look()))).toEqual([home.ref]);
  expect(JSON.parse(await look())[home.ref].price).toBe(home.price);

  // It was more expensive then.
  await page.evaluate(
    ([ref, price]) => {
      const looks = JSON.parse(localStorage.getItem("last-looks") ?? "{}");
      Object.assign(looks[ref], { price });
      localStorage.setItem("last-looks", JSON.stringify(looks));
    },
    [home.ref, 9_999_000] as const,
  );
  await open(page, `/property-for-sale?q=${encodeURIComponent(home.title)}`);
  const card = page.locator(`article[data-ref="${home.ref}"]`);
  await card.getByText("Was €9,999,000 when you last looked").waitFor();
  for (const address of [home.path, spanish(home.path)]) {
    await open(page, address);
    await page
      .getByRole("main")
      .getByText(/Was €9,999,000 when you last looked|Costaba 9\.999\.000/)
      .waitFor();
    expect(await axeFaults(page)).toEqual([]);
  }
});
