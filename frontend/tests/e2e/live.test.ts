import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { anyProperty, edit, open, visitor } from "./site.ts";

/** Opens a page that follows what changes from now on. */
async function openFollowing(page: Page, path: string): Promise<void> {
  const followed = page.waitForRequest("**/api/changes*");
  await open(page, path);
  await followed;
}

const euros = (locale: string, price: number) =>
  new Intl.NumberFormat(locale, {
    style: "currency",
    currency: "EUR",
    maximumFractionDigits: 0,
    useGrouping: "always",
  }).format(price);

/** Where news is told politely. The calculators' results are of the role too, but no news. */
const news = (page: Page) => page.locator("p[role=status]");

/** Waits until a polite region says so, and nothing more. */
const announced = (page: Page, text: string) =>
  news(page).getByText(text, { exact: true }).waitFor({ state: "attached" });

test("an open list and an open home follow what editors change, and say it politely", async () => {
  const { ref, price, path } = await anyProperty();
  const [list, home] = [await visitor(), await visitor()];
  await openFollowing(list, "/es/property-for-sale?status=for_sale&status=under_offer");
  await openFollowing(home, path);
  const loads: string[] = [];
  for (const page of [list, home]) {
    page.on("request", (request) => {
      if (request.resourceType() === "document") loads.push(request.url());
    });
    // Nothing has changed yet, so nothing is said.
    expect((await news(page).allTextContents()).join("")).toBe("");
  }

  const now = price + 1_000;
  await edit(ref, { price: now });
  await announced(list, `El precio de ${ref} es ahora ${euros("es-ES", now)}.`);
  await announced(home, `The price of ${ref} is now ${euros("en-GB", now)}.`);
  const card = list.getByRole("article").filter({ has: list.locator(`a[href$="/${ref}"]`) });
  await card.getByText(euros("es-ES", now)).waitFor();
  await home.getByRole("complementary").getByText(euros("en-GB", now)).first().waitFor();

  await edit(ref, { price, listing_status: "under_offer" });
  await announced(
    list,
    `El precio de ${ref} es ahora ${euros("es-ES", price)}. ${ref} está ahora reservada.`,
  );
  await announced(
    home,
    `The price of ${ref} is now ${euros("en-GB", price)}. ${ref} is now reserved.`,
  );
  await card.getByText("Reservada").waitFor();
  await home.getByText("Reserved").first().waitFor();

  await edit(ref, { listing_status: "for_sale" });
  await announced(home, `${ref} is for sale again.`);
  // The page goes on saying it, with the day; so does whoever opens it from now on.
  const today = (language: string) =>
    new Date().toLocaleDateString(language, { dateStyle: "long", timeZone: "Europe/Madrid" });
  await home.getByText(`For sale again since ${today("en-GB")}`).waitFor();
  expect(loads).toEqual([]);
  await open(home, `/es${path}`);
  await home.getByText(`De nuevo en venta desde el ${today("es-ES")}`).waitFor();
});
