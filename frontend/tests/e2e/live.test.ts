import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import {
  alive,
  anyProperty,
  ask,
  edit,
  editPrice,
  euros,
  expectFaults,
  hasFocus,
  hydrated,
  listed,
  open,
  openWhole,
  visitor,
} from "./site.ts";

/** The polite live regions for updates; the calculators' results have the same role. */
const updates = (page: Page) => page.locator("p[role=status]");

/** Waits until a polite region has exactly this text. */
const announced = (page: Page, text: string) =>
  updates(page).getByText(text, { exact: true }).waitFor({ state: "attached" });

test("an open list and an open home follow what editors change, and say it politely", async () => {
  const { ref, price, path } = await anyProperty();
  const [list, home] = [await visitor(), await visitor()];
  await openWhole(list, "/es/property-for-sale?status=for_sale&status=under_offer");
  await openWhole(home, path);
  const loads: string[] = [];
  for (const page of [list, home]) {
    page.on("request", (request) => {
      if (request.resourceType() === "document") loads.push(request.url());
    });
    // Nothing has changed yet, so nothing is announced.
    expect((await updates(page).allTextContents()).join("")).toBe("");
  }

  const now = price + 1_000;
  await edit(ref, { price: now });
  await announced(list, `El precio de ${ref} es ahora ${euros(now, "es-ES")}.`);
  await announced(home, `The price of ${ref} is now ${euros(now)}.`);
  const card = list.getByRole("article").filter({ has: list.locator(`a[href$="/${ref}"]`) });
  await card.getByText(euros(now, "es-ES")).waitFor();
  await home.getByRole("complementary").getByText(euros(now)).first().waitFor();

  await edit(ref, { price, listing_status: "under_offer" });
  await announced(
    list,
    `El precio de ${ref} es ahora ${euros(price, "es-ES")}. ${ref} está ahora reservado.`,
  );
  await announced(home, `The price of ${ref} is now ${euros(price)}. ${ref} is now reserved.`);
  await card.getByText("Reservado").waitFor();
  await home.getByText("Reserved").filter({ visible: true }).first().waitFor();

  const before = Date.now();
  await edit(ref, { listing_status: "for_sale" });
  await announced(home, `${ref} is for sale again.`);
  // The page keeps showing the change with its date, also when opened later. Midnight may pass meanwhile.
  const days = [before, Date.now()];
  const on = (language: string) => {
    const day = new Intl.DateTimeFormat(language, { dateStyle: "long", timeZone: "Europe/Madrid" });
    return `(${days.map((time) => day.format(time)).join("|")})`;
  };
  await home.getByText(new RegExp(`For sale again since ${on("en-GB")}`)).waitFor();
  expect(loads).toEqual([]);
  await open(home, `/es${path}`);
  await home.getByText(new RegExp(`De nuevo en venta desde el ${on("es-ES")}`)).waitFor();
});

test("what is typed into a home's calculators stays where its price changes", async () => {
  const [home] = await listed("&status=for_sale&propertyType=House&minPrice=100000");
  if (!home?.price) throw new Error("no house has a price");
  const { ref, price, location } = home;
  const page = await visitor();
  await openWhole(page, `/property-for-sale/${location.slug}/${ref}`);
  const mortgage = await hydrated(page.getByRole("region", { name: "Monthly payments" }));
  const age = mortgage.getByLabel("Your age");
  await mortgage.getByLabel("Annual interest").fill("3.5");
  await age.fill("50");
  const now = price + 1_000;
  await editPrice(ref, now);
  await announced(page, `The price of ${ref} is now ${euros(now)}.`);
  // A value that nobody has typed follows.
  await expect.poll(() => mortgage.getByLabel("Price").inputValue()).toBe(String(now));
  expect(await age.inputValue()).toBe("50");
  expect(await hasFocus(age)).toBe(true);
  expect(await mortgage.getByLabel("Annual interest").inputValue()).toBe("3.5");
  await mortgage.getByLabel("Price").fill("250000");
  await editPrice(ref, price);
  await announced(page, `The price of ${ref} is now ${euros(price)}.`);
  expect(await mortgage.getByLabel("Price").inputValue()).toBe("250000");
});

test("a home's card on the map follows its price", async () => {
  const { ref, price } = await anyProperty();
  const page = await visitor();
  const now = price + 1_000;
  await openWhole(page, `/property-for-sale?view=map&minPrice=${price}&maxPrice=${now}`);
  const map = page.getByRole("group", { name: "Map of the properties" });
  await map.getByRole("button", { name: "Zoom in", exact: true }).waitFor();
  await map.locator(`[data-ref="${ref}"]`).press("Enter");
  const card = map.getByRole("dialog");
  await card.getByText(euros(price), { exact: true }).waitFor();
  await card.getByRole("img").waitFor();
  try {
    await edit(ref, { price: now });
    await card.getByText(euros(now), { exact: true }).waitFor();
  } finally {
    await edit(ref, { price });
  }
  await card.getByText(euros(price), { exact: true }).waitFor();
});

test("a price that appears while the home's page is open is compared as well", async () => {
  const page = await visitor();
  const apartments = await listed("&status=for_sale&propertyType=Apartment");
  for (const { ref, location, price } of apartments) {
    const answer = await ask(`/api/properties/${ref}/comparable?locale=en`);
    const { homes } = (await answer.json()) as { homes: object | null };
    if (!homes) continue;
    const panel = page.getByRole("complementary");
    const onRequest = panel.getByText("Price on request").first();
    try {
      await openWhole(page, `/property-for-sale/${location.slug}/${ref}`);
      await edit(ref, { price: null });
      await onRequest.waitFor();
    } finally {
      await editPrice(ref, price);
    }
    await onRequest.waitFor({ state: "detached" });
    await page.getByRole("region", { name: "How the price compares" }).waitFor();
    return;
  }
  throw new Error("no flat is comparable with others");
});

test("a half-written message survives the sale of its home", async () => {
  const { ref, path } = await anyProperty();
  const page = await visitor();
  await openWhole(page, path);
  const panel = await hydrated(page.getByRole("complementary"));
  const message = panel.getByLabel("Message");
  await expect.poll(() => message.inputValue()).toContain(ref);
  await message.fill("Is there a lift in the house?");
  try {
    await edit(ref, { listing_status: "sold" });
    await announced(page, `${ref} is now sold.`);
    await panel.getByText("Sold", { exact: true }).waitFor();
    await panel.getByRole("link", { name: /^Everything for sale in / }).waitFor();
    expect(await message.inputValue()).toBe("Is there a lift in the house?");
    expect(await hasFocus(message)).toBe(true);
    await panel.getByRole("button", { name: "Send enquiry" }).waitFor();
  } finally {
    await edit(ref, { listing_status: "for_sale" });
  }
  await announced(page, `${ref} is for sale again.`);
  expect(await message.inputValue()).toBe("Is there a lift in the house?");
});

test("a half-written message survives the withdrawal of its home", async () => {
  const { ref, path } = await anyProperty();
  const page = await visitor();
  await openWhole(page, path);
  const panel = await hydrated(page.getByRole("complementary"));
  const message = panel.getByLabel("Message");
  await expect.poll(() => message.inputValue()).toContain(ref);
  await message.fill("Is there a lift in the house?");
  const gone = panel.getByRole("status").getByText("No longer on the market");
  try {
    await edit(ref, { status: "archived" });
    await gone.waitFor();
    expect(await message.inputValue()).toBe("Is there a lift in the house?");
    expect(await hasFocus(message)).toBe(true);
    await panel.getByRole("button", { name: "Send enquiry" }).waitFor();
  } finally {
    await edit(ref, { status: "published" });
  }
  await gone.waitFor({ state: "detached" });
  expect(await message.inputValue()).toBe("Is there a lift in the house?");
  // The comparison with a withdrawn home fails. All requests about it are answered by now.
  expectFaults(/status of 4(10|04)/);
});

test("a half-written viewing request survives the withdrawal of its home", async () => {
  const { ref } = await anyProperty();
  const page = await visitor();
  await openWhole(page, `/enquiry?kind=viewing&ref=${ref}`);
  const name = page.getByRole("main").getByLabel("Your name");
  await name.fill("Ann Prior");
  try {
    const gone = page.waitForResponse((answer) => answer.status() === 410);
    await edit(ref, { status: "archived" });
    await (await gone).finished();
    await page.getByRole("main").getByText(ref, { exact: true }).waitFor();
    expect(await name.inputValue()).toBe("Ann Prior");
    expect(await hasFocus(name)).toBe(true);
  } finally {
    await edit(ref, { status: "published" });
  }
  await expect.poll(async () => (await ask(`/api/properties/${ref}`)).status).toBe(200);
  expectFaults(/status of 410/);
});

test("updates leave unhydrated parts alone", {
  tags: "every-browser",
}, async () => {
  const { ref, price } = await anyProperty();
  const page = await visitor();
  const released = Promise.withResolvers<void>();
  await page.route("**/assets/filters-*.js", async (route) => {
    await released.promise;
    await route.continue();
  });
  const followers: string[] = [];
  page.on("request", (request) => {
    if (/background-work|changes/.test(request.url())) followers.push(request.url());
  });
  await page.goto("/property-for-sale", { waitUntil: "domcontentloaded" });
  const least = page.locator("input[name=minPrice]");
  const before = await least.elementHandle();
  await least.fill("10000");
  await alive(page);
  // The idle callbacks have run.
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
  expect(followers).toEqual([]);

  const now = price + 1_000;
  await editPrice(ref, now);
  released.resolve();
  await page.waitForURL("**/property-for-sale?minPrice=10000");
  expect(await before?.evaluate((field) => field.isConnected)).toBe(true);
  const card = page.getByRole("article").filter({ has: page.locator(`a[href$="/${ref}"]`) });
  await card.getByText(euros(now), { exact: true }).first().waitFor();
  await editPrice(ref, price);
});
