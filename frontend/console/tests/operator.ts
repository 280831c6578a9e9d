import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { expectFaults, visitor } from "../../tests/e2e/site.ts";
import { CODE, ConsoleServer, PASSWORD } from "./console-server.ts";

export const PARTS = [
  "/",
  "/publishes",
  "/parked",
  "/stores",
  "/visitors",
  "/deliveries",
  "/audit",
];

export const server = new ConsoleServer();
beforeAll(() => server.listen());
afterAll(() => server.close());
beforeEach(() => server.reset());

type Options = Parameters<typeof visitor>[0];

export async function operator(options: Options = {}): Promise<Page> {
  return visitor({ baseURL: server.url, viewport: { width: 1440, height: 900 }, ...options });
}

/** Signs an operator in, and returns the page, which shows the flow. */
export async function signedIn(name = "ana", options: Options = {}): Promise<Page> {
  const page = await operator(options);
  await page.goto("/sign-in");
  await fillCredentials(page, name);
  await page.locator("header").waitFor();
  // The page first asked for the session.
  expectFaults(/status of 401/);
  return page;
}

export async function fillCredentials(page: Page, name: string): Promise<void> {
  await page.locator("input[name=name]").fill(name);
  await page.locator("input[name=password]").fill(PASSWORD);
  await page.locator("input[name=code]").fill(CODE);
  await page.locator("button[type=submit]").click();
}

export async function part(page: Page, name: string): Promise<void> {
  await page.getByRole("navigation").getByRole("link", { name }).click();
  await page.getByRole("heading", { level: 1, name }).waitFor();
}

export async function hasFocus(part: Locator): Promise<boolean> {
  return part.evaluate((element) => element === document.activeElement);
}
