import { fileURLToPath } from "node:url";
import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { axeFaults } from "./axe.ts";
import { type Mail, mails, mailTo, newAddress, signIn } from "./mail.ts";
import {
  alive,
  anyProperty,
  expectFaults,
  hasFocus,
  hydrated,
  open,
  READABLE,
  visitor,
  waitForFocus,
} from "./site.ts";

const REFERENCE = /^E-[0-9A-HJKMNP-TV-Z]{6}$/;
const PICTURES = fileURLToPath(new URL("../../../deploy/content/media", import.meta.url));
const PHONE = { width: 390, height: 844 };

/** A unique question. */
const question = () => `Is there a lift in the house? (${crypto.randomUUID()})`;

async function reference(page: Page): Promise<string> {
  await page.waitForURL("**/enquiry/thanks?**");
  return page.getByRole("main").getByText(REFERENCE).last().innerText();
}

const panelOf = (page: Page): Locator => page.getByRole("complementary");

test("an enquiry about a home is sent and has a reference", { tags: "every-browser" }, async () => {
  const home = await anyProperty();
  const page = await visitor({ viewport: PHONE });
  await open(page, home.path);
  const panel = panelOf(page);
  await expect.poll(() => panel.getByLabel("Message").inputValue()).toContain(home.ref);
  await panel.getByLabel("Your name").fill("Ann Prior");
  await panel.getByLabel("Your email").fill("ann@example.com");
  await panel.getByLabel("Message").fill(question());
  await panel.getByRole("button", { name: "Send enquiry" }).click();
  await reference(page);
  expect(await axeFaults(page)).toEqual([]);
});

test("a form filled in at once by the browser is not taken for spam, and its sender gets a mail", async () => {
  const home = await anyProperty();
  const address = newAddress();
  const page = await visitor();
  await page.clock.install();
  await open(page, home.path);
  const panel = panelOf(page);
  await expect.poll(() => panel.getByLabel("Message").inputValue()).toContain(home.ref);
  // The form measures time from its hydration.
  const send = await hydrated(panel.getByRole("button", { name: "Send enquiry" }));
  // No visitor reads a home faster; then the browser fills the form in, and it is sent.
  await page.clock.fastForward(4_000);
  await panel.getByLabel("Your name").fill("Ann Prior");
  await panel.getByLabel("Your email").fill(address);
  await send.click();
  const name = await reference(page);
  expect((await mailTo(address)).text).toContain(name);
});

test("errors are shown at their fields and in a focused summary", async () => {
  const page = await visitor();
  await open(page, "/es/contact-us");
  const main = page.getByRole("main");
  await main.getByLabel("Nombre", { exact: false }).first().fill("Ana");
  await main.getByLabel("Su correo electrónico").fill("ana");
  await main.getByLabel("Mensaje").fill("Corto");
  await main.getByRole("button", { name: "Enviar consulta" }).click();
  const summary = main.getByRole("region", { name: "Hay 2 cosas que corregir" });
  await waitForFocus(summary);
  expect(await axeFaults(page)).toEqual([]);
  // The service may have refused it before the browser had loaded the rules.
  expectFaults(/status of 422/, 0);
  await summary.getByRole("link", { name: /^Mensaje/ }).click();
  expect(await page.evaluate(() => document.activeElement?.getAttribute("name"))).toBe("message");
  await main.getByLabel("Su correo electrónico").fill("ana@example.com");
  await main.getByLabel("Mensaje").fill(question());
  await main.getByRole("button", { name: "Enviar consulta" }).click();
  await reference(page);
  expect(new URL(page.url()).pathname).toBe("/es/enquiry/thanks");
});

test.each([390, 1440])("at %i px the form comes first, visually and by keyboard", async (width) => {
  const page = await visitor({ viewport: { width, height: 900 } });
  await open(page, "/contact-us");
  const main = page.getByRole("main");
  const form = await main.getByRole("region", { name: "Write to us" }).boundingBox();
  const ways = await main.getByRole("region", { name: "Ways to reach us" }).boundingBox();
  if (!form || !ways) throw new Error("the page lacks a part");
  if (width < 1024) expect(form.y + form.height).toBeLessThan(ways.y);
  else expect(form.x + form.width).toBeLessThan(ways.x);
  await main.getByRole("button", { name: "Send enquiry" }).focus();
  const inWays = () =>
    page.evaluate(() => !!document.activeElement?.closest("[aria-label='Ways to reach us']"));
  for (let presses = 0; presses < 4 && !(await inWays()); presses += 1) {
    await page.keyboard.press("Tab");
  }
  expect(await inWays()).toBe(true);
});

test("a field is checked after a pause of 300 ms in the typing", async () => {
  const page = await visitor();
  await page.clock.install();
  await open(page, "/contact-us");
  const main = page.getByRole("main");
  const email = main.getByLabel("Your email");
  await email.fill("ann");
  await page.keyboard.press("Tab");
  // The first pause loads the rules, which are available from then on.
  await expect.poll(() => email.getAttribute("aria-invalid")).toBe("true");
  await page.clock.pauseAt(Date.now() + 60_000);
  await email.fill("ann@example.com");
  await page.clock.runFor(290);
  expect(await email.getAttribute("aria-invalid")).toBe("true");
  await page.clock.runFor(20);
  await expect.poll(() => email.getAttribute("aria-invalid")).toBeNull();
});

test("the same without a script: errors with what was typed, then a reference", async () => {
  const home = await anyProperty();
  const page = await visitor({ javaScriptEnabled: false });
  await page.goto(home.path, READABLE);
  const panel = panelOf(page);
  await panel.getByLabel("Your name").fill("Ann Prior");
  await panel.getByLabel("Your email").fill("ann@example");
  await panel.getByRole("button", { name: "Send enquiry" }).click();
  const main = page.getByRole("main");
  await main.getByRole("region", { name: "One thing needs correcting" }).waitFor();
  expectFaults(/status of 422/);
  expect(await main.getByLabel("Your name").inputValue()).toBe("Ann Prior");
  await main.getByRole("heading", { level: 1, name: "Ask about this property" }).waitFor();
  await main.getByLabel("Your email").fill("ann@example.com");
  await main.getByLabel("Message").fill(question());
  await main.getByRole("button", { name: "Send enquiry" }).click();
  await reference(page);
});

test("a form sent before hydration keeps its errors when one is followed to its field", async () => {
  const home = await anyProperty();
  const page = await visitor();
  await open(page, `/enquiry?kind=property&ref=${home.ref}`);
  const main = page.getByRole("main");
  await main.getByLabel("Your name").fill("Ann Prior");
  await main.getByLabel("Your email").fill("ann@example");
  // As the browser sends it without a script, which loads a new document.
  await main.locator("form").evaluate((form: HTMLFormElement) => form.submit());
  const summary = main.getByRole("region", { name: "One thing needs correcting" });
  await summary.waitFor();
  expectFaults(/status of 422/);
  await alive(page);
  await summary.getByRole("link", { name: /^Your email/ }).press("Enter");
  expect(await page.evaluate(() => document.activeElement?.getAttribute("name"))).toBe("email");
  expect(await main.getByLabel("Your name").inputValue()).toBe("Ann Prior");
  expect(await main.getByLabel("Your email").inputValue()).toBe("ann@example");
  expect(await summary.isVisible()).toBe(true);
});

test("a returning sender finds the form filled in, until the details are forgotten", {
  tags: "every-browser",
}, async () => {
  const page = await visitor();
  // Faster than the script that remembers the sender.
  await page.route(/known-sender/, () => undefined);
  await open(page, "/contact-us");
  const main = page.getByRole("main");
  await main.getByLabel("First name").fill("Ann");
  await main.getByLabel("Last name").fill("Prior");
  await main.getByLabel("Your email").fill("ann@example.com");
  await main.getByLabel("Message").fill(question());
  await main.getByRole("button", { name: "Send enquiry" }).click();
  await reference(page);
  await main.getByText("This device remembers your name").waitFor();
  await page.unroute(/known-sender/);

  const home = await anyProperty();
  await open(page, home.path);
  const panel = panelOf(page);
  await expect.poll(() => panel.getByLabel("Your name").inputValue()).toBe("Ann Prior");
  expect(await panel.getByLabel("Your email").inputValue()).toBe("ann@example.com");
  expect(page.url()).not.toContain("ann");
  // Nothing has been typed: prefilled values are valid, too.
  await panel.getByRole("button", { name: "Send enquiry" }).click();
  await reference(page);
  expect(await axeFaults(page)).toEqual([]);
  // The thank-you page can forget them by key, too: the button disappears, and the focus stays there.
  const forget = main.getByRole("button", { name: "Forget my details" });
  const kept = await page.evaluate(() => localStorage.getItem("enquiry-sender"));
  await forget.press("Enter");
  const forgotten = main
    .getByRole("status")
    .filter({ hasText: "This device has forgotten your details" });
  await forgotten.waitFor();
  expect(await hasFocus(forgotten)).toBe(true);
  await page.evaluate((text) => localStorage.setItem("enquiry-sender", text ?? ""), kept);

  await open(page, "/es/contact-us");
  await expect.poll(() => main.getByLabel("Apellidos").inputValue()).toBe("Prior");
  await main.getByRole("button", { name: "Olvidar mis datos" }).click();
  await expect.poll(() => main.getByLabel("Apellidos").inputValue()).toBe("");
  expect(await page.evaluate(() => localStorage.getItem("enquiry-sender"))).toBe(null);
  await open(page, home.path);
  await panel.getByRole("button", { name: "Send enquiry" }).waitFor();
  expect(await panel.getByLabel("Your name").inputValue()).toBe("");
});

test("a signed-in visitor's details are filled in, not those of the device's previous sender", async () => {
  const address = newAddress();
  const page = await visitor();
  await signIn(page, address);
  await page.evaluate(() => {
    const ann = { name: "Ann Prior", phone: "600 123 456", email: "ann@example.com" };
    localStorage.setItem("enquiry-sender", JSON.stringify(ann));
  });
  await open(page, "/contact-us");
  const main = page.getByRole("main");
  await expect.poll(() => main.getByLabel("Your email").inputValue()).toBe(address);
  expect(await main.getByLabel("Phone number").inputValue()).toBe("");
  await main.getByRole("button", { name: "Forget my details" }).waitFor();
});

test("a viewing is proposed for a time, on its own page", async () => {
  const home = await anyProperty();
  const page = await visitor();
  await open(page, home.path);
  await panelOf(page).getByRole("link", { name: "Arrange a viewing" }).click();
  await page.waitForURL("**/enquiry?kind=viewing**");
  const main = page.getByRole("main");
  await main.getByRole("heading", { level: 1, name: "Arrange a viewing" }).waitFor();
  await main.getByText(home.ref, { exact: true }).waitFor();
  await main.getByLabel("Your name").fill("Ann Prior");
  await main.getByLabel("Phone number").fill("+44 20 7946 0958");
  await main.getByLabel("Day 1").fill(workday());
  await main.getByLabel("Time 1").selectOption("10:30");
  await main.getByLabel("Message").fill(question());
  // A date without its year is invalid, but not empty.
  const second = main.getByLabel("Day 2");
  await second.focus();
  await page.keyboard.type("1203");
  await main.getByRole("button", { name: "Send enquiry" }).click();
  const summary = main.getByRole("region", { name: "One thing needs correcting" });
  await summary.getByRole("link", { name: "Day 2: We can’t read this." }).waitFor();
  expect(await axeFaults(page)).toEqual([]);
  await second.fill("");
  await main.getByRole("button", { name: "Send enquiry" }).click();
  await reference(page);
});

test("a call is requested on its own page, and the office learns whom to call", async () => {
  const home = await anyProperty();
  const page = await visitor();
  await open(page, home.path);
  await panelOf(page).getByRole("link", { name: "Ask us to call you" }).click();
  await page.waitForURL("**/enquiry?kind=callback**");
  const main = page.getByRole("main");
  await main.getByRole("heading", { level: 1, name: "Ask us to call you" }).waitFor();
  await main.getByText(home.ref, { exact: true }).waitFor();
  await main.getByLabel("Your name").fill("Ann Prior");
  await main.getByLabel("Phone number").fill("600 123 456");
  await main.getByLabel("Message").fill(question());
  expect(await axeFaults(page)).toEqual([]);
  await main.getByRole("button", { name: "Send enquiry" }).click();
  const told = [await reference(page), home.ref, "+34600123456"];
  const isAboutIt = ({ text }: Mail) => told.every((each) => text.includes(each));
  await expect.poll(async () => (await mails()).some(isAboutIt)).toBe(true);
});

test("a day offers its own hours, and shows its own error if the office is closed", async () => {
  const home = await anyProperty();
  const page = await visitor();
  await open(page, `/enquiry?kind=viewing&ref=${home.ref}`);
  const main = page.getByRole("main");
  const [first, second] = [main.getByLabel("Day 1"), main.getByLabel("Day 2")];
  const hours = main.getByLabel("Time 1");
  const all = await hours.getByRole("option", { includeHidden: true }).allInnerTexts();
  expect(await first.getAttribute("min")).toMatch(/^\d{4}-\d\d-\d\d$/);
  await first.fill(workday());
  const offered = () => hours.getByRole("option", { includeHidden: true }).allInnerTexts();
  await expect.poll(async () => (await offered()).length).toBeLessThan(all.length);
  await second.fill(sunday());
  await main.getByLabel("Your name").fill("Ann Prior");
  await main.getByLabel("Phone number").fill("600 123 456");
  await expect.poll(() => second.getAttribute("aria-invalid")).toBe("true");
  expect(await first.getAttribute("aria-invalid")).toBeNull();
  await main.getByRole("button", { name: "Send enquiry" }).click();
  const summary = main.getByRole("region", { name: "One thing needs correcting" });
  await summary.getByRole("link", { name: "Day 2: Our office is closed on that day." }).click();
  expect(await hasFocus(second)).toBe(true);
  expect(await axeFaults(page)).toEqual([]);
  await second.fill("");
  await expect.poll(() => second.getAttribute("aria-invalid")).toBeNull();
});

test("a chosen hour stays when a day without it is chosen, and is marked as invalid", async () => {
  const home = await anyProperty();
  const page = await visitor();
  await open(page, `/enquiry?kind=viewing&ref=${home.ref}`);
  const main = page.getByRole("main");
  const offered = (number: number) =>
    main.getByLabel(`Time ${number}`).getByRole("option", { includeHidden: true }).allInnerTexts();
  const all = await offered(1);
  await main.getByLabel("Day 2").fill(workday());
  await expect.poll(async () => (await offered(2)).length).toBeLessThan(all.length);
  const ofDay = await offered(2);
  const other = all.find((hour) => !ofDay.includes(hour)) ?? "";
  await main.getByLabel("Day 2").fill("");
  const hour = main.getByLabel("Time 1");
  await hour.selectOption(other);
  await main.getByLabel("Day 1").fill(workday());
  await expect.poll(async () => (await offered(1)).length).toBeLessThan(all.length);
  expect(await hour.inputValue()).toBe(other);
  await main.getByLabel("Your name").fill("Ann Prior");
  await main.getByLabel("Phone number").fill("600 123 456");
  await main.getByRole("button", { name: "Send enquiry" }).click();
  const summary = main.getByRole("region", { name: "One thing needs correcting" });
  await summary.getByRole("link", { name: /^Time 1: Choose a time within our hours\./ }).click();
  expect(await hasFocus(hour)).toBe(true);
  expect(await hour.inputValue()).toBe(other);
  const [right = ""] = ofDay;
  await hour.selectOption(right);
  await expect.poll(() => offered(1)).toEqual(ofDay);
});

test("without a script the service's error about a time is shown at that time", async () => {
  const home = await anyProperty();
  const page = await visitor({ javaScriptEnabled: false });
  await page.goto(`/es/enquiry?kind=viewing&ref=${home.ref}`, READABLE);
  const main = page.getByRole("main");
  await main.getByLabel("Su nombre").fill("Ana Prior");
  await main.getByLabel("Número de teléfono").fill("600 123 456");
  await main.getByLabel("Día 1").fill(workday());
  await main.getByLabel("Hora 2").selectOption("11:30");
  await main.getByLabel("Día 3").fill(sunday());
  await main.getByRole("button", { name: "Enviar consulta" }).click();
  await main.getByRole("link", { name: /^Día 2: Elija un día para esta hora, / }).waitFor();
  await main.getByRole("link", { name: "Día 3: Ese día nuestra oficina está cerrada." }).waitFor();
  expectFaults(/status of 422/);
  const invalid = main.locator("[aria-invalid='true']");
  const names = await invalid.evaluateAll((fields) =>
    fields.map((field) => field.getAttribute("name")),
  );
  expect(names).toEqual(["day2", "day3"]);
});

test("resending after a lost answer yields the same enquiry", async () => {
  const page = await visitor();
  await open(page, "/contact-us");
  const main = page.getByRole("main");
  const kept: string[] = [];
  // The request arrives, but its answer is lost.
  await page.route("**/api/enquiries", async (route) => {
    const answer = await route.fetch();
    kept.push((await answer.json()).reference);
    if (kept.length === 1) await route.abort();
    else await route.fulfill({ response: answer });
  });
  await main.getByLabel("First name").fill("Ann");
  await main.getByLabel("Phone number").fill("600 123 456");
  await main.getByLabel("Message").fill(question());
  await main.getByRole("button", { name: "Send enquiry" }).click();
  await main.getByRole("alert").getByText("Nothing you wrote is lost").waitFor();
  expect(await main.getByLabel("First name").inputValue()).toBe("Ann");
  await main.getByRole("button", { name: "Send enquiry" }).click();
  expect(await reference(page)).toBe(kept[0]);
  expectFaults(/ERR_FAILED|dynamically imported module/);
});

test("a visitor who moves on while an enquiry is sent learns its outcome, and can return to it", async () => {
  const page = await visitor();
  const needed = [/\/assets\/known-sender-/, /\/assets\/left-form-/, /\/assets\/toasts-.*\.js/];
  const ahead = Promise.all(needed.map((each) => page.waitForResponse(each)));
  await open(page, "/contact-us");
  const main = page.getByRole("main");
  const message = main.getByLabel("Message");
  const words = question();
  await main.getByLabel("First name").fill("Ann");
  await main.getByLabel("Phone number").fill("600 123 456");
  await message.fill(words);
  for (const response of await ahead) await response.finished();
  const sendAndGoOn = async (isTaken: boolean) => {
    const { promise: left, resolve: release } = Promise.withResolvers<void>();
    await page.route("**/api/enquiries", async (route) => {
      await left;
      if (isTaken) await route.continue();
      else await route.fulfill({ status: 503, json: {} });
    });
    const sent = page.waitForRequest("**/api/enquiries");
    await main.getByRole("button", { name: "Send enquiry" }).click();
    await sent;
    await page.getByRole("contentinfo").getByRole("link", { name: "News", exact: true }).click();
    await page.waitForURL("**/news");
    release();
  };

  await sendAndGoOn(false);
  await page.getByText("Your enquiry was not sent", { exact: true }).waitFor();
  expectFaults(/status of 503/);
  await page.unroute("**/api/enquiries");
  await page.getByRole("button", { name: "Back to the form" }).click();
  await page.waitForURL("**/enquiry?kind=general");
  await expect.poll(() => message.inputValue()).toBe(words);

  const told = page.getByText("Your enquiry was not sent", { exact: true });
  await sendAndGoOn(false);
  await told.waitFor();
  expectFaults(/status of 503/);
  await page.unroute("**/api/enquiries");
  // Back by the browser's button: the message disappears when the enquiry is sent again.
  await page.goBack();
  await page.waitForURL("**/enquiry?kind=general");
  await expect.poll(() => message.inputValue()).toBe(words);
  await sendAndGoOn(true);
  await page.getByText("Thank you, we have your enquiry", { exact: true }).waitFor();
  await expect.poll(() => told.count()).toBe(0);
  await page.getByText(/^Your reference, if you call us: E-[0-9A-Z]{6}$/).waitFor();
  expect(new URL(page.url()).pathname).toBe("/news");
  await page.goBack();
  await page.waitForURL("**/enquiry?kind=general");
  expect(await message.inputValue()).toBe("");
});

test("leaving the document while an enquiry is sent asks for confirmation", async () => {
  const page = await visitor();
  await open(page, "/contact-us");
  const main = page.getByRole("main");
  const { promise: asked, resolve: release } = Promise.withResolvers<void>();
  await page.route("**/api/enquiries", async (route) => {
    await asked;
    await route.continue();
  });
  await main.getByLabel("First name").fill("Ann");
  await main.getByLabel("Phone number").fill("600 123 456");
  await main.getByLabel("Message").fill(question());
  const sent = page.waitForRequest("**/api/enquiries");
  await main.getByRole("button", { name: "Send enquiry" }).click();
  await sent;
  const opened = page.waitForEvent("dialog");
  const spanish = page.getByRole("contentinfo").getByRole("link", { name: "Español", exact: true });
  const pressed = spanish.click();
  const dialog = await opened;
  expect(dialog.type()).toBe("beforeunload");
  await dialog.dismiss();
  await pressed;
  release();
  await reference(page);
});

test("if the form's scripts can't be loaded, what was written stays in the form", async () => {
  const page = await visitor();
  await open(page, "/contact-us");
  const main = page.getByRole("main");
  const lost = /\/assets\/(?:enquiry|filled-form)-/;
  await page.route(lost, (route) => route.abort());
  const words = question();
  await main.getByLabel("First name").fill("Ann");
  await main.getByLabel("Your email").fill("ann@example.com");
  await main.getByLabel("Message").fill(words);
  await main.getByRole("button", { name: "Send enquiry" }).click();
  await main.getByRole("alert").getByText("Nothing you wrote is lost").waitFor();
  expect(await main.getByLabel("Message").inputValue()).toBe(words);
  await page.unroute(lost);
  await main.getByRole("button", { name: "Send enquiry" }).click();
  await reference(page);
  expectFaults(/ERR_FAILED|dynamically imported module|Error loading route module/);
});

test("if the form's script stays unavailable, the form is sent as without a script", async () => {
  const page = await visitor();
  await open(page, "/contact-us");
  const main = page.getByRole("main");
  await page.route(/\/assets\/filled-form-/, (route) => route.abort());
  await main.getByLabel("First name").fill("Ann");
  await main.getByLabel("Your email").fill("ann@example.com");
  await main.getByLabel("Message").fill(question());
  const send = main.getByRole("button", { name: "Send enquiry" });
  await send.click();
  await main.getByRole("alert").getByText("Nothing you wrote is lost").waitFor();
  await send.click();
  expect(await reference(page)).toMatch(REFERENCE);
  expectFaults(/ERR_FAILED|dynamically imported module/);
});

test("an enquiry that has arrived is confirmed, even if the connection is lost after it", async () => {
  const page = await visitor();
  await open(page, "/contact-us");
  const main = page.getByRole("main");
  const needed = [/\/assets\/enquiry-thanks-/, /\/assets\/remembered-sender-/, /\/api\/figures/];
  const ahead = Promise.all(needed.map((each) => page.waitForResponse(each)));
  await main.getByLabel("First name").fill("Ann");
  await main.getByLabel("Your email").fill("ann@example.com");
  await main.getByLabel("Message").fill(question());
  for (const response of await ahead) await response.finished();
  for (const each of needed) await page.route(each, (route) => route.abort());
  await main.getByRole("button", { name: "Send enquiry" }).click();
  expect(await reference(page)).toMatch(REFERENCE);
});

test("an owner asks what a home is worth, with pictures", { tags: "every-browser" }, async () => {
  const page = await visitor({ viewport: PHONE });
  await open(page, "/es/selling-a-property");
  await page.getByRole("link", { name: "Pedir una valoración" }).click();
  await page.waitForURL("**/es/enquiry?kind=valuation");
  const main = page.getByRole("main");
  await main.getByLabel("Su nombre").fill("Ana Prior");
  await main.getByLabel("Su correo electrónico").fill(newAddress());
  await main.getByLabel("Dirección del inmueble").fill("Calle Real 1, Nerja");
  await main.getByLabel("Qué es").selectOption({ label: "Casa de pueblo" });
  await main.getByLabel("Superficie construida").fill("1.200 m²");
  await main.getByLabel("Fotos").setInputFiles({
    name: "terraza.jpg",
    mimeType: "image/jpeg",
    buffer: Buffer.from("<script>"),
  });
  expect(await axeFaults(page)).toEqual([]);
  await main.getByRole("button", { name: "Enviar consulta" }).click();
  const summary = main.getByRole("region", { name: "Hay algo que corregir" });
  await summary.getByText("Uno de los archivos no es una imagen").waitFor();
  expectFaults(/status of 4\d\d/, 0);
  expect(await main.getByLabel("Dirección del inmueble").inputValue()).toBe("Calle Real 1, Nerja");
  await main
    .getByLabel("Fotos")
    .setInputFiles([`${PICTURES}/apartment-01.jpg`, `${PICTURES}/apartment-02.jpg`]);
  await main.getByRole("button", { name: "Enviar consulta" }).click();
  const name = await reference(page);
  const told = [name, "1.200", "Fotos (adjuntas): 2"];
  const isAboutIt = ({ text }: Mail) => told.every((each) => text.includes(each));
  await expect.poll(async () => (await mails()).some(isAboutIt)).toBe(true);
});

test("without a script an owner is asked to send the pictures by mail", async () => {
  const page = await visitor({ javaScriptEnabled: false });
  await page.goto("/enquiry?kind=valuation", READABLE);
  const main = page.getByRole("main");
  await main.getByText("reply with a few pictures").waitFor();
  await main.getByLabel("Pictures").waitFor({ state: "hidden" });
  await main.getByLabel("Your name").fill("Ann Prior");
  await main.getByLabel("Your email").fill(newAddress());
  await main.getByLabel("Type of property").selectOption("villa");
  await main.getByRole("button", { name: "Send enquiry" }).click();
  await main.getByRole("region", { name: "One thing needs correcting" }).waitFor();
  expectFaults(/status of 422/);
  expect(await main.getByLabel("Type of property").inputValue()).toBe("villa");
  await main.getByLabel("Address of the property").fill("Calle Real 1, Nerja");
  await main.getByRole("button", { name: "Send enquiry" }).click();
  await reference(page);
});

/** Returns a weekday two to four days from now, in the format of a date field. */
function workday(): string {
  const day = new Date(Date.now() + 2 * 86_400_000);
  while ([0, 6].includes(day.getUTCDay())) day.setUTCDate(day.getUTCDate() + 1);
  return day.toISOString().slice(0, 10);
}

/** Returns the Sunday after the next one, in the same format. */
function sunday(): string {
  const day = new Date(Date.now() + 8 * 86_400_000);
  while (day.getUTCDay() !== 0) day.setUTCDate(day.getUTCDate() + 1);
  return day.toISOString().slice(0, 10);
}
