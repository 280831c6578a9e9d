import { expect, test } from "vitest";
import { anyProperty, expectFaults, READABLE, visitor } from "./site.ts";

const WORDS = {
  en: { home: "/", list: "/property-for-sale", search: "Search", other: "Español" },
  es: { home: "/es", list: "/es/property-for-sale", search: "Buscar", other: "English" },
} as const;

test.each(["en", "es"] as const)(
  "read, search, order, turn the page, open, change the language, in %s",
  async (locale) => {
    const words = WORDS[locale];
    const page = await visitor({ javaScriptEnabled: false });

    await page.goto(words.home, READABLE);
    await page.locator("select[name=propertyType]").selectOption("House");
    await page.getByRole("button", { name: words.search }).click();
    await page.waitForURL(`**${words.list}?propertyType=House`, READABLE);
    expect(await page.getByRole("article").count()).toBeGreaterThan(0);

    await page.locator("select[name=sort]").selectOption("price-desc");
    await page.locator("button[form=filters-form]").click();
    await page.waitForURL(`**${words.list}?propertyType=House&sort=price-desc`, READABLE);

    await page.locator("a[rel=next]").click();
    await page.waitForURL(({ searchParams }) => searchParams.get("page") === "2", READABLE);
    const title = await page.getByRole("article").first().getByRole("heading").textContent();
    await page.getByRole("article").first().getByRole("link").click();
    await page.waitForURL(`**${words.list}/*/*`, READABLE);
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe(title);
    expect((await page.locator("#description + .prose").textContent())?.length).toBeGreaterThan(
      200,
    );

    const [, path = ""] = /^(?:\/es)?(\/.*)$/.exec(new URL(page.url()).pathname) ?? [];
    await page.getByRole("banner").getByRole("link", { name: words.other }).click();
    await page.waitForURL(`**${locale === "en" ? `/es${path}` : path}`, READABLE);
    expect(await page.locator("html").getAttribute("lang")).toBe(
      locale === "en" ? "es-ES" : "en-GB",
    );
  },
);

test("without a script the map comes first, its homes are links, and it says what it needs", async () => {
  const page = await visitor({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } });
  await page.goto("/es/property-for-sale", READABLE);
  await page.getByRole("link", { name: "Mapa" }).click();
  await page.waitForURL("**view=map", READABLE);
  expect(await page.locator("noscript .notice").innerText()).toContain("requiere JavaScript");
  const map = page.getByRole("region", { name: "Mapa" });
  // The styles may load later than the text.
  await map.waitFor();
  const [above, below] = await Promise.all(
    [map, page.getByRole("article").first()].map((place) => place.boundingBox()),
  );
  expect(above?.y).toBeLessThan(below?.y ?? 0);
  await map.getByRole("link").first().click();
  await page.waitForURL("**bbox=**", READABLE);
});

test("without a script the menu, the filters and the photographs open", async () => {
  const { path } = await anyProperty();
  const page = await visitor({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } });
  await page.goto("/property-for-sale", READABLE);
  await page.getByRole("button", { name: "Menu" }).click();
  await page.locator("#menu").getByRole("link", { name: "Contact" }).waitFor();
  // Its entries are described as those of the header.
  const descriptions = (part: string) => page.locator(`${part} small`).allTextContents();
  expect(await descriptions("#menu")).toEqual(await descriptions("header nav:not(#menu)"));
  expect(await descriptions("#menu")).not.toEqual([]);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Filters" }).click();
  await page.getByRole("checkbox", { name: "Apartments" }).check();
  await page.getByRole("button", { name: "Show results" }).click();
  await page.waitForURL("**?propertyType=Apartment", READABLE);
  await page.goto(path, READABLE);
  await page.getByRole("button", { name: /^All \d+ images$/ }).click();
  await page.locator("#photos").getByRole("img").first().waitFor();
});

test("without a script a message that is too long comes back complete, with the reason", async () => {
  const page = await visitor({ javaScriptEnabled: false });
  await page.goto("/contact-us", READABLE);
  const main = page.getByRole("main");
  const message = "Tell me more. ".repeat(2_900);
  await main.getByLabel("First name").fill("Ann");
  await main.getByLabel("Your email").fill("ann@example.com");
  await main.getByLabel("Message").fill(message);
  await main.getByRole("button", { name: "Send enquiry" }).click();
  await main.getByRole("alert").filter({ hasText: "That is too long to send." }).waitFor();
  expectFaults(/status of 413/);
  expect(await main.getByLabel("Message").inputValue()).toBe(message);
});
