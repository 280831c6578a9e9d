import { expect, test } from "vitest";
import { expectFaults, open, takesKeys } from "../../tests/e2e/site.ts";
import { CODE, PASSWORD } from "./console-server.ts";
import { fillCredentials, hasFocus, operator, part, server, signedIn } from "./operator.ts";

test("a signed-out operator signs in, and arrives at the wanted page", async () => {
  const page = await operator();
  await open(page, "/parked");
  await page.waitForURL("**/sign-in?next=%2Fparked");
  expectFaults(/status of 401/);

  const button = page.getByRole("button", { name: "Sign in" });
  await button.click();
  const summary = page.getByRole("region", { name: "3 things need correcting" });
  await takesKeys(summary);

  await page.getByLabel("Operator's name").fill("ana");
  await page.getByLabel("Password").fill("wrong");
  await page.getByLabel("Code").fill("123 456");
  await button.click();
  await page.getByRole("alert").getByText("Name, password or code is wrong").waitFor();
  expect(await page.getByLabel("Code").inputValue()).toBe("");
  expect(await hasFocus(page.getByLabel("Code"))).toBe(true);
  await page.getByLabel("Code").fill("000000");
  await button.click();
  await page.getByRole("alert").getByText("Try again in 1 min 30 s").waitFor();
  expectFaults(/status of 4(01|29)/);

  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByLabel("Code").fill(CODE);
  await button.click();
  await page.waitForURL("**/parked");
  await page.getByRole("heading", { level: 1, name: "Parked" }).waitFor();
});

test("after an ended session the operator signs in and returns to the page", async () => {
  const page = await signedIn();
  await part(page, "Stores");
  server.signOutAll();
  await page.waitForURL("**/sign-in?next=%2Fstores&ended=1");
  await page.getByText("What you did after that was not carried out.").waitFor();
  await fillCredentials(page, "ana");
  await page.getByRole("heading", { level: 1, name: "Stores" }).waitFor();
  await page.getByText("Live", { exact: true }).waitFor();
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("H1");
  // The event stream ends with the session.
  expectFaults(/status of 401|ERR_INCOMPLETE_CHUNKED_ENCODING/);
});

test("a page notices that another page has signed in", async () => {
  const page = await signedIn();
  await open(page, "/sign-in?next=%2Fparked");
  await page.waitForURL("**/parked");
  await page.getByText("Live", { exact: true }).waitFor();

  server.signOutAll();
  await page.waitForURL("**/sign-in?next=%2Fparked&ended=1");
  await page.locator("input[name=name]").waitFor();
  const other = await page.context().newPage();
  await other.goto("/sign-in");
  await fillCredentials(other, "ana");
  await other.locator("header").waitFor();
  // As when the operator returns to the first page.
  await page.evaluate(() => dispatchEvent(new Event("visibilitychange")));
  await page.waitForURL("**/parked");
  await page.getByRole("heading", { level: 1, name: "Parked" }).waitFor();
  expectFaults(/status of 401|ERR_INCOMPLETE_CHUNKED_ENCODING/);
});

test("the language is the browser's until the operator chooses another, which is kept", async () => {
  const page = await signedIn("ana", { locale: "es-ES" });
  await page.waitForURL("**/es");
  expect(await page.locator("html").getAttribute("lang")).toBe("es-ES");
  await part(page, "Apartados");
  await page.getByRole("button", { name: /^ana/ }).click();
  await page.getByRole("link", { name: "English" }).click();
  await page.getByRole("heading", { level: 1, name: "Parked" }).waitFor();
  await open(page, "/es/stores");
  await page.waitForURL("**/stores");
  await page.getByRole("heading", { level: 1, name: "Stores" }).waitFor();

  await page.getByRole("button", { name: /^ana/ }).click();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.waitForURL("**/sign-in");
  await open(page, "/stores");
  await page.waitForURL("**/sign-in?next=%2Fstores");
  expectFaults(/status of 401/, 0);
});
