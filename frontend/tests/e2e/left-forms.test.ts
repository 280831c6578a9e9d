import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { keysOf, mailTo, newAddress, signIn } from "./mail.ts";
import { anyProperty, open, READABLE, visitor } from "./site.ts";

/**
 * Opens the form at `path` on a device that remembers a sender, and waits for the script that keeps the form's
 * text: it loads a moment after the page, and offers to forget the sender.
 */
async function openAsKnownSender(page: Page, path: string) {
  await open(page, "/about");
  await page.evaluate(() => localStorage.setItem("enquiry-sender", '{"phone":"+34 952 100 200"}'));
  await open(page, path);
  await page.getByRole("main").getByRole("button", { name: "Forget my details" }).waitFor();
}

test("a form's text survives every navigation within the site, until it is sent", async () => {
  const page = await visitor();
  const main = page.getByRole("main");
  await openAsKnownSender(page, "/contact-us");
  const words = `Is there a lift in the house? (${crypto.randomUUID()})`;
  const message = main.getByLabel("Message");
  await main.getByLabel("First name").fill("Ann");
  await main.getByLabel("Your email").fill("ann@example.com");
  await message.fill(words);
  await main.getByRole("link", { name: "Privacy policy", exact: true }).click();
  await page.waitForURL("**/privacy");
  await page.goBack();
  await expect.poll(() => message.inputValue()).toBe(words);
  await page.getByRole("contentinfo").getByRole("link", { name: "News", exact: true }).click();
  await page.waitForURL("**/news");
  await page.goBack();
  await expect.poll(() => message.inputValue()).toBe(words);
  expect(await main.getByLabel("First name").inputValue()).toBe("Ann");
  // It is not stored on the device.
  const stored = () => page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
  expect(await stored()).not.toContain(words);
  await main.getByRole("button", { name: "Send enquiry" }).click();
  await page.waitForURL("**/enquiry/thanks?**");
  await main.getByText("This device remembers your name").waitFor();
  await page.goBack();
  await page.waitForURL("**/contact-us");
  // The sender is filled in by the same script that would restore the rest.
  await expect.poll(() => main.getByLabel("First name").inputValue()).toBe("Ann");
  expect(await message.inputValue()).toBe("");
});

test("an enquiry's text survives a change of language, and is not stored on the device", async () => {
  const page = await visitor();
  const main = page.getByRole("main");
  const toLanguage = async (name: string, address: string | RegExp) => {
    await page.getByRole("contentinfo").getByRole("link", { name, exact: true }).click();
    await page.waitForURL(address);
  };
  await openAsKnownSender(page, "/enquiry?kind=viewing");
  const words = `Is there a lift in the house? (${crypto.randomUUID()})`;
  await main.getByLabel("Your name").fill("Ann Prior");
  await main.getByLabel("Message").fill(words);
  await main.getByLabel("Time 1").selectOption({ index: 2 });
  const time = await main.getByLabel("Time 1").inputValue();
  await main.getByRole("checkbox").check();

  await toLanguage("Español", "**/es/enquiry?kind=viewing");
  await expect.poll(() => main.getByLabel("Mensaje").inputValue()).toBe(words);
  expect(await main.getByLabel("Su nombre").inputValue()).toBe("Ann Prior");
  expect(await main.getByLabel("Hora 1").inputValue()).toBe(time);
  // The consent is not kept, since its text differs.
  expect(await main.getByRole("checkbox").isChecked()).toBe(false);
  const stored = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
  expect(stored).not.toContain(words);

  await main.getByLabel("Mensaje").fill("");
  await toLanguage("English", /(?<!\/es)\/enquiry\?kind=viewing$/);
  await expect.poll(() => main.getByLabel("Your name").inputValue()).toBe("Ann Prior");
  expect(await main.getByLabel("Message").inputValue()).toBe("");
});

test("a note about a favourite survives a step back, and a change of language", async () => {
  const { path, ref } = await anyProperty();
  const page = await visitor();
  const main = page.getByRole("main");
  await open(page, path);
  await page.getByRole("button", { name: "Favourite", exact: true }).click();
  await page.getByRole("button", { name: "View them" }).click();
  await page.waitForURL("**/account");
  const note = main.getByLabel(`Your note ${ref}`);
  await note.fill("Ask about the lift");
  // The browser's Back removes the field while it still has the focus.
  await page.goBack();
  await page.waitForURL(`**${path}`);
  await page.goForward();
  await expect.poll(() => note.inputValue()).toBe("Ask about the lift");
  await note.fill("Ask about the lift and the pool");
  await page.getByRole("contentinfo").getByRole("link", { name: "Español", exact: true }).click();
  await page.waitForURL("**/es/account");
  await expect
    .poll(() => main.getByLabel(`Su nota ${ref}`).inputValue())
    .toBe("Ask about the lift and the pool");
});

test("a note that was edited and restored does not overwrite a newer one", async () => {
  const { ref } = await anyProperty();
  const page = await visitor();
  await open(page, "/about");
  const keep = (tab: Page, note: string) =>
    tab.evaluate(
      ([reference, note]) => {
        const homes = [{ reference, note, favourite: true, changedAt: new Date().toISOString() }];
        localStorage.setItem("my-homes", JSON.stringify(homes));
      },
      [ref, note] as const,
    );
  await keep(page, "Patio");
  await open(page, "/account");
  const note = page.getByRole("main").getByLabel(`Your note ${ref}`);
  await expect.poll(() => note.inputValue()).toBe("Patio");
  await note.fill("Patio!");
  await note.fill("Patio");
  const other = await page.context().newPage();
  await open(other, "/about");
  await keep(other, "Garden");
  await page.bringToFront();
  await expect.poll(() => note.inputValue()).toBe("Garden");
  await note.focus();
  await note.blur();
  expect(await page.evaluate(() => localStorage.getItem("my-homes"))).toContain("Garden");
});

test.each([
  ["with a script", true],
  ["without one", false],
])("a page of one account changes nothing of another (%s)", async (_, javaScriptEnabled) => {
  const [ann, bea] = [newAddress(), newAddress()];
  const page = await visitor();
  await signIn(page, ann);
  const left = await visitor({
    javaScriptEnabled,
    storageState: await page.context().storageState(),
  });
  await left.goto("/account/details", READABLE);
  await left.getByLabel("Your name").fill("Ann Prior");
  const searches = await left.context().newPage();
  await searches.goto("/account/searches", READABLE);
  // Another visitor signs in, in the same browser.
  await left.context().clearCookies();
  const desk = await visitor();
  await signIn(desk, bea);
  await left.context().addCookies(await desk.context().cookies());

  await left.getByRole("button", { name: "Save", exact: true }).click();
  await left.waitForURL("**/account/details?outcome=other-account");
  await left.getByRole("alert").getByText("Nothing has changed.").waitFor();
  expect(await left.getByLabel("Email address").first().inputValue()).toBe(bea);
  await searches.getByRole("main").getByRole("combobox").selectOption("weekly");
  await searches.getByRole("button", { name: "Change: Your favourites" }).click();
  await searches.waitForURL("**/account/searches?outcome=other-account");
  await searches.getByRole("alert").getByText("Nothing has changed.").waitFor();

  await desk.reload();
  expect(await desk.getByLabel("Your name").inputValue()).toBe("");
  await open(desk, "/account/searches");
  expect(await desk.getByRole("main").getByRole("combobox").inputValue()).toBe("never");
});

test("after signing in by the link in another tab, the page that waits for the code moves on", async () => {
  const address = newAddress();
  const page = await visitor();
  await open(page, "/login?next=%2Faccount%2Fenquiries");
  await page.getByLabel("Email address").fill(address);
  await page.getByRole("button", { name: "Send me the email" }).click();
  await page.waitForURL("**/login/code?**");
  const { link, code } = keysOf(await mailTo(address));
  const other = await page.context().newPage();
  await other.goto(link);
  await other.getByRole("main").getByRole("button", { name: "Sign in" }).click();
  await other.waitForURL("**/account/enquiries");
  await page.getByLabel("Six-digit code").fill(code);
  await page.getByRole("main").getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL("**/account/enquiries");
  await page.goto("/login/code?next=%2Faccount%2Fdetails");
  await page.waitForURL("**/account/details");
});
