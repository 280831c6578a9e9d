import { readFile } from "node:fs/promises";
import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { KEPT } from "#app/lib/account/kept.gen.ts";
import { axeFaults } from "./axe.ts";
import { call, keysOf, mailTo, newAddress, signIn } from "./mail.ts";
import {
  alive,
  BASE_URL,
  expectFaults,
  hasFocus,
  hydrated,
  open,
  takesKeys,
  visitor,
  waitForFocus,
} from "./site.ts";

const PHONE = { width: 390, height: 844 };

test("a mailed link opens an account in the browser that asked, by keys alone", {
  tags: "every-browser",
}, async () => {
  const address = newAddress();
  const page = await visitor({ viewport: PHONE });
  await open(page, "/es/signup");
  await page.getByLabel("Su nombre").focus();
  await page.keyboard.type("Ana Prior");
  await page.keyboard.press("Tab");
  await page.keyboard.type(address);
  await page.keyboard.press("Enter");
  await page.waitForURL("**/es/login/code");
  const mail = await mailTo(address);
  expect(mail.text).toContain("Todavía no hay ninguna cuenta");
  const { link } = keysOf(mail);

  // Another person's browser, or a program that scans mails.
  const other = await visitor();
  await other.goto(link);
  await other.getByRole("button", { name: "Entrar" }).click();
  await other.getByRole("heading", { name: "Vuelva al otro navegador" }).waitFor();
  expectFaults(/status of 409/, 0);
  // Firefox sends key presses to the page that was opened last.
  await other.close();

  await page.goto(link);
  await page.getByRole("button", { name: "Entrar" }).focus();
  await page.keyboard.press("Enter");
  await page.waitForURL((url) => url.pathname === "/es/account");
  await open(page, "/es/account/details");
  await expect.poll(() => page.getByLabel("Su nombre").inputValue()).toBe("Ana Prior");
  expect(await axeFaults(page)).toEqual([]);
  // Once used, it leads its owner, who is signed in, on to the account.
  await page.goto(link);
  await page.getByRole("button", { name: "Entrar" }).click();
  await page.waitForURL((url) => url.pathname === "/es/account");
});

test("another address's link says who is signed in, before it signs them out and after its use", async () => {
  const [ann, bea] = [newAddress(), newAddress()];
  const page = await visitor();
  const main = page.getByRole("main");
  await signIn(page, ann);
  await call(page, "POST", "/api/account/sign-in", { email: bea, locale: "en" });
  const { link } = keysOf(await mailTo(bea));
  await page.goto(link);
  await main.getByText(`You are signed in as ${ann}.`).waitFor();
  expect(await axeFaults(page)).toEqual([]);
  await main.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL((url) => url.pathname === "/account");
  await open(page, "/account/details");
  expect(await main.getByLabel("Email address").first().inputValue()).toBe(bea);

  await signIn(page, ann);
  await page.goto(`/es${link}`);
  await main.getByRole("button", { name: "Entrar" }).click();
  await main.getByRole("heading", { level: 1, name: "Ya ha entrado" }).waitFor();
  expectFaults(/status of 410/, 0);
  await main.getByText(`Ha entrado como ${ann}.`).waitFor();
  expect(await axeFaults(page)).toEqual([]);
  const account = main.getByRole("link", { name: "Ir a mi cuenta" });
  expect(await account.getAttribute("href")).toBe("/es/account");
  await main.getByRole("button", { name: "Entrar con otro correo" }).click();
  await page.waitForURL("**/es/login?outcome=signed-out");
  await main.getByLabel("Correo electrónico").waitFor();
});

test("a double press on the mailed link's button signs in", async () => {
  const address = newAddress();
  const page = await visitor();
  await open(page, "/login");
  await page.getByLabel("Email address").fill(address);
  await page.getByRole("button", { name: "Send me the email" }).click();
  await page.waitForURL("**/login/code");
  await page.goto(keysOf(await mailTo(address)).link);
  await alive(page);
  const button = page.getByRole("main").getByRole("button", { name: "Sign in" });
  const sent = await pressTwice(button, "**/login/link?**");
  await page.waitForURL((url) => url.pathname === "/account");
  expect(sent()).toBe(1);
});

test("a double press that ends a device or the account is confirmed as done", async () => {
  const address = newAddress();
  const desk = await visitor();
  const phone = await visitor({ viewport: PHONE });
  await signIn(phone, address);
  await signIn(desk, address);
  const ended = await pressTwice(desk.locator("#devices button[value=end]"), "**/account/details");
  await desk.locator("#devices").getByText("You have been signed out there").waitFor();
  expect(ended()).toBe(1);
  await alive(desk);
  await desk.getByLabel("To delete it").fill(address);
  const deletion = desk.getByRole("button", { name: "Delete my account" });
  const deleted = await pressTwice(deletion, "**/account/details");
  await desk.getByRole("status").filter({ hasText: "Your account has been deleted." }).waitFor();
  expect(deleted()).toBe(1);
});

test("a double press saves a search once", async () => {
  const page = await visitor();
  await signIn(page, newAddress());
  await open(page, "/save-search?location=nerja");
  const button = page.getByRole("button", { name: "Save the search" });
  const sent = await pressTwice(button, "**/save-search?**");
  await page.waitForURL("**/account/searches?outcome=saved");
  expect(sent()).toBe(1);
});

/** Presses `button` twice before the request to `path` is answered. Returns the number of requests. */
async function pressTwice(button: Locator, path: string): Promise<() => number> {
  const { promise: again, resolve: goOn } = Promise.withResolvers<void>();
  let sent = 0;
  await button.page().route(path, async (route) => {
    if (route.request().method() === "POST") {
      sent += 1;
      await again;
    }
    await route.continue();
  });
  // By script, since Playwright's click would wait for the navigation.
  await (await hydrated(button)).evaluate(async (each: HTMLButtonElement) => {
    each.click();
    await new Promise((resolve) => setTimeout(resolve, 200));
    each.click();
  });
  await expect.poll(() => sent).toBe(1);
  goOn();
  return () => sent;
}

test("a browser that refuses cookies is told why no code works in it", async () => {
  for (const [path, digits, button, words] of [
    ["/login/code", "Six-digit code", "Sign in", "This browser blocks cookies"],
    ["/es/login/code", "Seis cifras", "Entrar", "Este navegador rechaza las cookies"],
  ] as const) {
    const page = await visitor();
    await page.addInitScript(() => {
      Object.defineProperty(Navigator.prototype, "cookieEnabled", { get: () => false });
    });
    await open(page, path);
    await page.getByLabel(digits).fill("123456");
    await page.getByRole("button", { name: button }).click();
    await page.getByRole("alert").getByText(words).waitFor();
    expect(await axeFaults(page)).toEqual([]);
    expectFaults(/status of 4\d\d/, 0);
  }
});

test("without a script errors are shown, and a code leads to the page that the visitor wanted", async () => {
  const address = newAddress();
  const page = await visitor({ javaScriptEnabled: false });
  await page.goto("/account/enquiries");
  expect(new URL(page.url()).search).toBe("?next=%2Faccount%2Fenquiries");
  await page.getByLabel("Email address").fill("ann@example");
  await page.getByRole("button", { name: "Send me the email" }).click();
  await page.getByRole("region", { name: "One thing needs correcting" }).waitFor();
  expect(await page.getByLabel("Email address").inputValue()).toBe("ann@example");
  await page.getByLabel("Email address").fill(address);
  await page.getByRole("button", { name: "Send me the email" }).click();
  await page.waitForURL("**/login/code?**");
  const { code } = keysOf(await mailTo(address));
  await page.getByLabel("Six-digit code").fill("12345");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("region", { name: "One thing needs correcting" }).waitFor();
  expectFaults(/status of 422/);
  await page.getByLabel("Six-digit code").fill(code);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL("**/account/enquiries");
  await page.getByText("No enquiries from this email address yet").waitFor();
});

test("the link from an error to its field leaves the errors in place", async () => {
  const page = await visitor();
  await open(page, "/login");
  const field = page.getByLabel("Email address");
  await field.fill("ann@example");
  await page.getByRole("button", { name: "Send me the email" }).click();
  const summary = await inSight(page, "One thing needs correcting");
  expectFaults(/status of 422/);
  await alive(page);
  await summary.getByRole("link", { name: "Please enter a full email address" }).press("Enter");
  expect(await hasFocus(field)).toBe(true);
  await page.keyboard.press("End");
  await page.keyboard.type(".com");
  expect(await field.inputValue()).toBe("ann@example.com");
  expect(await summary.isVisible()).toBe(true);
});

test("the errors lose the focus while the corrected form is being sent", async () => {
  const address = newAddress();
  const page = await visitor();
  await open(page, "/login");
  await page.getByLabel("Email address").fill(address);
  await page.getByRole("button", { name: "Send me the email" }).click();
  await page.waitForURL("**/login/code");
  await page.getByLabel("Six-digit code").fill("12345");
  await page.getByRole("button", { name: "Sign in" }).click();
  await inSight(page, "One thing needs correcting");
  expectFaults(/status of 422/);
  await alive(page);
  await staysOnItsPage(page);
  const button = await hydrated(page.getByRole("main").getByRole("button", { name: "Sign in" }));
  await button.press("Enter");
  await expect.poll(() => button.getAttribute("aria-busy")).toBe("true");
  expect(await hasFocus(button)).toBe(true);
});

/** Keeps the page: what is sent is never answered. */
function staysOnItsPage(page: Page): Promise<void> {
  return page.evaluate(() => {
    addEventListener("submit", (event) => event.preventDefault());
  });
}

test("a form that is sent again after a step back stays busy for its second request", async () => {
  const page = await visitor();
  await page.clock.install();
  await open(page, "/login");
  await page.getByLabel("Email address").fill(newAddress());
  await staysOnItsPage(page);
  const button = await hydrated(page.getByRole("button", { name: "Send me the email" }));
  const busy = () => button.getAttribute("aria-busy");
  await button.press("Enter");
  await expect.poll(busy).toBe("true");
  await page.clock.runFor(5_000);
  // The browser restores the page from its back/forward cache.
  await page.evaluate(() =>
    dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true })),
  );
  await expect.poll(busy).toBeNull();
  await page.clock.runFor(10_000);
  await button.press("Enter");
  await expect.poll(busy).toBe("true");
  await page.clock.runFor(6_000);
  expect(await busy()).toBe("true");
});

/** Further filters within an area, and a name. */
const NARROWED = [
  ["kind", "country-house"],
  ["kind", "townhouse"],
  ["kind", "village-house"],
  ["features", "air-conditioning"],
  ["features", "communal-pool"],
  ["features", "double-glazing"],
  ["features", "fitted-kitchen"],
  ["features", "roof-terrace"],
  ["features", "solar-panels"],
  ["features", "storage-room"],
  ["features", "walk-to-beach"],
  ["features", "wheelchair-access"],
  ["maxPrice", "600000"],
  ["minBedrooms", "3"],
  [
    "name",
    "Para los abuelos: cerca del médico, con jardín, sin escalón, con sol en la terraza y a un paseo del café",
  ],
];

test("a visitor who drew an area returns to it, by any of the sign-in pages", async () => {
  const corners = Array.from({ length: 60 }, (_, index) => `-3.${8701 + index},36.${7501 + index}`);
  const drawn = `/save-search?${new URLSearchParams([["area", corners.join(";")], ...NARROWED])}`;
  const login = `/login?${new URLSearchParams({ next: drawn })}`;
  // Longer than the address of any cached page.
  expect(login.length).toBeGreaterThan(2_000);
  const address = newAddress();
  const page = await visitor({ javaScriptEnabled: false });
  await page.goto(drawn);
  for (const [link, pathname] of [
    ["I have an account: sign in first", "/login"],
    ["No account yet? Open one", "/signup"],
    ["Already have an account? Sign in", "/login"],
    ["Sign in with a password", "/login/password"],
    ["Sign in by email", "/login"],
  ] as const) {
    await page.getByRole("link", { name: link }).click();
    await page.waitForURL((url) => url.pathname === pathname);
    expect(new URL(page.url()).searchParams.get("next")).toBe(drawn);
  }
  await page.getByLabel("Email address").fill(address);
  await page.getByRole("button", { name: "Send me the email" }).click();
  await page.waitForURL("**/login/code?**");
  const again = page.getByRole("link", { name: "ask for another email" });
  expect(await again.getAttribute("href")).toBe(login);
  await page.getByLabel("Six-digit code").fill(keysOf(await mailTo(address)).code);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL((url) => url.pathname + url.search === drawn);
});

test("an enquiry from the same address is listed in the client area", async () => {
  const address = newAddress();
  const page = await visitor();
  await signIn(page, address, "/account/enquiries");
  await page.getByRole("link", { name: "Write to us" }).click();
  const main = page.getByRole("main");
  await main.getByLabel("First name").fill("Ann");
  await main.getByLabel("Your email").fill(address.toUpperCase());
  await main.getByLabel("Message").fill("Do you know a good architect?");
  await main.getByRole("button", { name: "Send enquiry" }).click();
  await page.waitForURL("**/enquiry/thanks?**");
  const reference = new URL(page.url()).searchParams.get("reference") ?? "";
  await open(page, "/account/enquiries");
  const sent = main.getByRole("listitem").filter({ hasText: reference });
  await sent.getByText("With our office").waitFor();
  await sent.getByText("Do you know a good architect?").waitFor();
  expect(await axeFaults(page)).toEqual([]);
});

test("details are changed, another device is signed out, and all data is downloaded and deleted", async () => {
  const address = newAddress();
  const desk = await visitor();
  const phone = await visitor({ viewport: PHONE });
  await signIn(desk, address);
  await signIn(phone, address);
  await desk.getByLabel("Your name").fill("Ann Prior");
  await desk.getByRole("button", { name: "Save", exact: true }).click();
  const saidOf = (part: string) => desk.locator(`#${part}`).getByRole("status").innerText();
  await expect.poll(() => saidOf("you")).toBe("Saved");
  expect(await desk.title()).toMatch(/^Saved\. Your details · Client area/);
  expect(await desk.getByLabel("Your name").inputValue()).toBe("Ann Prior");
  await desk.getByRole("button", { name: "Sign out everywhere else" }).click();
  await expect.poll(() => desk.getByRole("button", { name: /^Sign out: / }).count()).toBe(1);
  await expect.poll(() => saidOf("devices")).toBe("You have been signed out there");
  await phone.reload();
  await phone.waitForURL("**/login?next=**");

  const [file] = await Promise.all([
    desk.waitForEvent("download"),
    desk.getByRole("link", { name: "Download everything" }).click(),
  ]);
  const kept = JSON.parse(await readFile(await file.path(), "utf8"));
  expect(kept.account).toMatchObject({ email: address, name: "Ann Prior" });

  await desk.getByRole("link", { name: "Read everything" }).click();
  await desk.getByRole("heading", { name: "Everything we keep about you" }).waitFor();
  await desk.getByText(address).waitFor();
  expect(await axeFaults(desk)).toEqual([]);
  await desk.goBack();

  await desk.setViewportSize(PHONE);
  await desk.getByLabel("To delete it").fill("somebody@example.com");
  await desk.getByRole("button", { name: "Delete my account" }).click();
  const summary = await inSight(desk, "One thing needs correcting");
  expectFaults(/status of 422/);
  await summary.getByRole("link", { name: "This is not the address for this account." }).click();
  const deletion = desk.getByLabel("To delete it");
  await takesKeys(deletion);
  expect(await deletion.inputValue()).toBe("somebody@example.com");
  await deletion.fill(address);
  await desk.getByRole("button", { name: "Delete my account" }).click();
  await desk.waitForURL((url) => url.pathname === "/login");
  await desk.getByRole("status").filter({ hasText: "Your account has been deleted." }).waitFor();
  expect(await axeFaults(desk)).toEqual([]);
  await open(desk, "/account/details");
  await desk.waitForURL("**/login?next=**");
});

test("a page from before a consent was withdrawn does not give it again", async () => {
  const page = await visitor();
  await signIn(page, newAddress());
  const consent = (of: Page) => of.locator("input[name=marketingConsent]");
  const save = async (of: Page) => {
    const kept = of.waitForResponse((answer) => answer.request().method() === "POST");
    await of.getByRole("button", { name: "Save", exact: true }).click();
    await kept;
    await of.locator("#you").getByRole("status").waitFor();
  };
  await consent(page).check();
  await save(page);
  const before = await page.context().newPage();
  await before.goto("/account/details");
  expect(await consent(before).isChecked()).toBe(true);
  await consent(page).uncheck();
  await save(page);
  await before.getByLabel("Your name").fill("Ann Prior");
  await save(before);
  await expect.poll(() => before.getByLabel("Your name").inputValue()).toBe("Ann Prior");
  await expect.poll(() => consent(before).isChecked()).toBe(false);
});

/** Returns the error summary once it has the focus within the window. */
async function inSight(page: Page, name: string): Promise<Locator> {
  const summary = page.getByRole("region", { name });
  await summary.waitFor();
  await waitForFocus(summary);
  await expect.poll(() => inWindow(summary)).toBe(true);
  return summary;
}

/** Whether `part` is completely within the window. */
function inWindow(part: Locator): Promise<boolean> {
  return part.evaluate((element) => {
    const { top, right, bottom, left } = element.getBoundingClientRect();
    return top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth;
  });
}

test("signing out is confirmed in both languages, with a script and without", async () => {
  const page = await visitor();
  await signIn(page, newAddress());
  const signOut = page.getByRole("button", { name: "Sign out", exact: true });
  const parts = page.getByRole("navigation", { name: "Client area" });
  const rightOf = (part: Locator) =>
    part.evaluate((element) => Math.round(element.getBoundingClientRect().right));
  // Its visible right edge is aligned with the parts below.
  expect(await rightOf(signOut)).toBe(await rightOf(parts));
  expect(await signOut.evaluate((button) => getComputedStyle(button).borderRightWidth)).toBe("1px");
  await signOut.click();
  await page.waitForURL("**/login?outcome=signed-out");
  await page.getByRole("status").filter({ hasText: "You are signed out." }).waitFor();
  // A screen reader announces the title first.
  expect(await page.title()).toMatch(/^You are signed out\. Sign in/);
  expect(await axeFaults(page)).toEqual([]);

  const address = newAddress();
  const scriptless = await visitor({ viewport: PHONE, javaScriptEnabled: false });
  await scriptless.goto("/es/login?next=/es/account/details");
  await scriptless.getByLabel("Correo electrónico").fill(address);
  await scriptless.getByRole("button", { name: "Enviarme el correo" }).click();
  await scriptless.waitForURL("**/es/login/code?**");
  await scriptless.getByLabel("Seis cifras").fill(keysOf(await mailTo(address)).code);
  await scriptless.getByRole("button", { name: "Entrar" }).click();
  await scriptless.waitForURL("**/es/account/details");
  // In the list of devices, this browser's own entry signs out.
  await scriptless.getByRole("button", { name: /^Salir: / }).click();
  await scriptless.waitForURL("**/es/login?outcome=signed-out");
  await scriptless.getByRole("status").filter({ hasText: "Ha cerrado la sesión." }).waitFor();
});

test("a password is chosen, signs in elsewhere, and is removed", async () => {
  const address = newAddress();
  const desk = await visitor();
  await signIn(desk, address);
  await desk.getByLabel("New password").fill("password123");
  await desk.getByRole("button", { name: "Save this password" }).click();
  const summary = await inSight(desk, "One thing needs correcting");
  await summary.getByText("nothing easy to guess").waitFor();
  expect(await desk.getByLabel("New password").inputValue()).toBe("");
  expectFaults(/status of 422/);
  await desk.getByLabel("New password").fill("ganso-teja-limonero");
  await desk.getByRole("button", { name: "Save this password" }).click();
  await desk.getByLabel("Your new password").waitFor();
  const said = desk.getByRole("status").filter({ hasText: "Your password is saved" });
  await expect.poll(() => inWindow(said)).toBe(true);
  expect(await axeFaults(desk)).toEqual([]);

  const phone = await visitor({ viewport: PHONE, javaScriptEnabled: false });
  await phone.goto("/es/login?next=/es/account/details");
  await phone.getByRole("link", { name: "Entrar con contraseña" }).click();
  await phone.getByLabel("Correo electrónico").fill(address);
  await phone.getByLabel("Contraseña").fill("ganso-teja-limonera");
  await phone.getByRole("button", { name: "Entrar" }).click();
  await phone.getByRole("region", { name: "Hay algo que corregir" }).waitFor();
  expectFaults(/status of 422/);
  expect(await phone.getByLabel("Contraseña").inputValue()).toBe("");
  await phone.getByLabel("Contraseña").fill("ganso-teja-limonero");
  await phone.getByRole("button", { name: "Entrar" }).click();
  await phone.waitForURL("**/es/account/details");
  await phone.getByRole("button", { name: "Quitar la contraseña" }).click();
  await phone.getByLabel("Contraseña nueva").waitFor();
  const gone = phone.getByRole("status").filter({ hasText: "Ya no tiene contraseña" });
  await expect.poll(() => inWindow(gone)).toBe(true);
  // On a page whose address names a part, errors are shown in their own part, too.
  await phone.getByLabel("Para borrarla").fill("nadie@example.com");
  await phone.getByRole("button", { name: "Borrar mi cuenta" }).click();
  await inSight(phone, "Hay algo que corregir");
  expectFaults(/status of 422/);
  await desk.reload();
  await desk.waitForURL("**/login?next=**");
});

test("the page about privacy says what is stored, why and for how long, in both languages", async () => {
  const page = await visitor({ viewport: PHONE });
  for (const [address, title, forever, always] of [
    ["/privacy", "What this site keeps about you", "Until you delete it", "24 months"],
    ["/es/privacy", "Qué guarda de usted esta web", "Hasta que usted lo borre", "24 meses"],
  ] as const) {
    await open(page, address);
    const table = page.getByRole("table", { name: title });
    expect(await table.getByRole("row").count()).toBe(1 + KEPT.length);
    await table.getByText(forever).waitFor();
    await table.getByText(always).waitFor();
  }
});

test("a passkey is made, signs in without a mail, and is removed", async () => {
  const address = newAddress();
  const page = await visitor();
  // A passkey can't belong to an IP address: a visitor at the IP address is redirected to the name.
  await page.goto(`${BASE_URL.replace("localhost", "127.0.0.1")}/login`);
  expect(page.url()).toBe(`${BASE_URL.replace("127.0.0.1", "localhost")}/login`);
  const browser = await page.context().newCDPSession(page);
  await browser.send("WebAuthn.enable");
  await browser.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await signIn(page, address);
  await page.getByRole("button", { name: "Create a passkey" }).click();
  const remove = page.getByRole("button", { name: /^Remove the passkey: / });
  await remove.waitFor();
  const passkeys = page.locator("#passkeys");
  await passkeys.getByText("Passkey created").waitFor();
  expect(await axeFaults(page)).toEqual([]);
  await passkeys.getByRole("button", { name: "Create a passkey" }).click();
  await passkeys.getByText("This device already has a passkey for your account.").waitFor();
  expect(await remove.count()).toBe(1);
  await page.getByRole("button", { name: "Sign out", exact: true }).click();
  await page.waitForURL("**/login?outcome=signed-out");

  await open(page, "/login?next=%2Faccount%2Fdetails");
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await page.waitForURL("**/account/details");
  expect(await page.getByLabel("Email address").first().inputValue()).toBe(address);

  // A forged link must not lead off the site.
  for (const next of ["//evil.example", "javascript:document.title='led astray'"]) {
    await page.getByRole("button", { name: "Sign out", exact: true }).click();
    await page.waitForURL("**/login?outcome=signed-out");
    await open(page, `/login?${new URLSearchParams({ next })}`);
    await page.getByRole("button", { name: "Sign in with a passkey" }).click();
    await page.waitForURL((url) => url.pathname === "/account");
  }
  await open(page, "/account/details");
  await remove.click();
  await expect.poll(() => remove.count()).toBe(0);
  await page.getByRole("button", { name: "Sign out", exact: true }).click();
  await page.waitForURL("**/login?outcome=signed-out");
  await open(page, "/login");
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await page.getByText("That passkey can’t be used here.").waitFor();
  expectFaults(/status of 410/);
});

test("on a phone the current part of the client area is visible, and the page does not scroll", async () => {
  const page = await visitor({ viewport: PHONE });
  await signIn(page, newAddress());
  const current = page.getByRole("navigation", { name: "Client area" }).locator("[aria-current]");
  for (const [path, name] of [
    ["/account/details", "Your details"],
    ["/account/enquiries", "Enquiries"],
    ["/account/searches", "Saved searches"],
  ] as const) {
    await open(page, path);
    await page.getByRole("heading", { level: 2, name, exact: true }).waitFor();
    expect(await current.innerText()).toBe(name);
    await expect.poll(() => inWindow(current)).toBe(true);
    expect(await page.evaluate(() => scrollY)).toBe(0);
  }
  // The same by client-side navigation.
  await page.getByRole("link", { name: "Your details" }).click();
  await page.waitForURL("**/account/details");
  await expect.poll(() => current.innerText()).toBe("Your details");
  await expect.poll(() => inWindow(current)).toBe(true);
});
