import { expect, test } from "vitest";
import { axeFaults } from "./axe.ts";
import { keysOf, mailTo, newAddress, signIn } from "./mail.ts";
import { open, READABLE, visitor } from "./site.ts";

test("an account stores, changes and deletes saved searches, also without a script", async () => {
  const address = newAddress();
  const page = await visitor();
  await signIn(page, address);
  // A change for the favourites is confirmed even without a saved search.
  await open(page, "/account/searches");
  await page.getByText("You have not saved any searches yet").waitFor();
  await page.getByRole("main").getByRole("combobox").selectOption("weekly");
  await page.getByRole("button", { name: "Change: Your favourites" }).click();
  await page.getByRole("status").getByText("Saved", { exact: true }).waitFor();
  // A screen reader announces the title first.
  expect(await page.title()).toMatch(/^Saved\. Saved searches · Client area/);
  const state = await page.context().storageState();
  const bare = await visitor({ javaScriptEnabled: false, storageState: state });
  await bare.goto("/es/save-search?location=nerja&kind=villa&features=pool", READABLE);
  const name = bare.getByLabel("Cómo quiere llamarla");
  expect(await name.inputValue()).toBe("Villas en venta en Nerja, Piscina");
  await bare.getByText("como acordamos (RGPD, artículo 6.1.b)").waitFor();
  await bare.goto("/es/property-for-sale?minPrice=200000&propertyType=House", READABLE);
  await bare.getByRole("link", { name: "Guardar esta búsqueda" }).click();
  await bare.getByText("Casas en venta, desde 200.000", { exact: false }).waitFor();
  await name.fill("Casas <b>caras</b>");
  await bare.getByRole("button", { name: "Guardar la búsqueda" }).click();
  await bare.waitForURL("**/es/account/searches?outcome=saved");
  const row = bare.getByRole("listitem").filter({ hasText: "Casas <b>caras</b>" });
  await row.getByRole("combobox").selectOption("weekly");
  await row.getByRole("button", { name: "Cambiar: Casas <b>caras</b>" }).click();
  await expect.poll(() => row.getByRole("combobox").inputValue()).toBe("weekly");

  // In the other tab.
  await open(page, "/account/searches");
  expect(await axeFaults(page)).toEqual([]);
  const favourites = page.getByRole("button", { name: "Change: Your favourites" });
  const section = page.locator("section").filter({ has: favourites });
  await section.getByRole("combobox").selectOption("daily");
  await favourites.click();
  await page.waitForURL("**/account/searches?outcome=saved");
  await expect.poll(() => section.getByRole("combobox").inputValue()).toBe("daily");
  await page.getByRole("link", { name: "Casas <b>caras</b>" }).click();
  await page.waitForURL("**/property-for-sale?minPrice=200000&propertyType=House");

  await row.getByRole("button", { name: "Borrar: Casas <b>caras</b>" }).click();
  await bare.getByText("Todavía no ha guardado ninguna búsqueda").waitFor();
});

test.each([
  ["with a script", true],
  ["without one", false],
])(
  "a search that is saved when its session has ended is saved after signing in (%s)",
  async (_, javaScriptEnabled) => {
    const address = newAddress();
    const signed = await visitor();
    await signIn(signed, address);
    const storageState = await signed.context().storageState();
    const desk = await visitor();
    await signIn(desk, address);

    const page = await visitor({ javaScriptEnabled, storageState });
    // The page checks the session when it starts, so the session ends after that.
    const heard = javaScriptEnabled ? page.waitForResponse("**/api/me") : undefined;
    await page.goto("/es/save-search?location=nerja&kind=villa");
    await heard;
    const name = page.getByLabel("Cómo quiere llamarla");
    const weekly = page.getByRole("radio", { name: "Cada lunes" });
    await name.fill("Para mi abuela");
    await weekly.check();
    await desk.getByRole("button", { name: "Sign out everywhere else" }).click();
    await desk.getByText("You have been signed out there").waitFor();

    await page.getByRole("button", { name: "Guardar la búsqueda" }).click();
    await page.waitForURL("**/es/login?next=**");
    await page.getByLabel("Correo electrónico").fill(address);
    await page.getByRole("button", { name: "Enviarme el correo" }).click();
    await page.waitForURL("**/es/login/code?**");
    await page.getByLabel("Seis cifras").fill(keysOf(await mailTo(address, 3)).code);
    await page.getByRole("button", { name: "Entrar" }).click();
    await page.waitForURL("**/es/save-search?**");
    expect(await name.inputValue()).toBe("Para mi abuela");
    expect(await weekly.isChecked()).toBe(true);
    await page.getByRole("button", { name: "Guardar la búsqueda" }).click();
    await page.waitForURL("**/es/account/searches?outcome=saved");
    await page.getByRole("link", { name: "Para mi abuela" }).waitFor();
  },
);
