import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { complaints, visitor } from "../../tests/e2e/site.ts";
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

/** An operator who has signed in and stands before the flow. */
export async function signedIn(name = "ana", options: Options = {}): Promise<Page> {
  const page = await operator(options);
  await page.goto("/sign-in");
  await giveCredentials(page, name);
  await page.locator("header").waitFor();
  // It was asked first whether somebody is.
  complaints(/status of 401/);
  return page;
}

export async function giveCredentials(page: Page, name: string): Promise<void> {
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
