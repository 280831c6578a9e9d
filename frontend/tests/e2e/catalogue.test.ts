import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { alive, BASE_URL, visitor } from "./site.ts";

let renderer: ChildProcess;
let address = "";

/** Visitors have no catalogue: it is rendered beside the site, from the site's own answers. */
beforeAll(async () => {
  renderer = spawn(process.execPath, ["server.js"], {
    env: { ...process.env, CATALOGUE: "1", PORT: "0", QUERY_URL: BASE_URL, PUBLIC_URL: BASE_URL },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = (await once(renderer.stdout as NodeJS.ReadableStream, "data")) as [Buffer];
  address = /http:\S+/.exec(line.toString())?.[0] ?? "";
});

afterAll(() => renderer.kill());

/** A page on which the catalogue is found at its address. */
async function reader(options: Parameters<typeof visitor>[0] = {}): Promise<Page> {
  const page = await visitor({ reducedMotion: "reduce", ...options });
  await page.route("**/catalogue", async (route) =>
    route.fulfill({ response: await route.fetch({ url: `${address}/catalogue` }) }),
  );
  return page;
}

test("what was typed and chosen before the script came is still there afterwards", async () => {
  const page = await reader();
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  await page.route("**/assets/*.js", async (route) => {
    await held;
    await route.continue();
  });
  await page.goto("/catalogue", { waitUntil: "commit" });
  const form = (label: string) => page.getByLabel(label, { exact: true }).first();
  await form("Empty").fill("typed");
  await form("Filled").fill("typed over");
  await page.locator("textarea[name=text]").fill("typed over");
  await form("Chosen").selectOption("nerja");
  await form("Not ticked").check();
  await form("Ticked").uncheck();
  await page.getByRole("radio", { name: "Torrox" }).first().check();
  release();
  await alive(page);
  // The page's slices come alive one by one: what is pressed comes first.
  await page.getByRole("button", { name: "Remove: Pool" }).click();
  await page.getByRole("button", { name: "Remove: Pool" }).waitFor({ state: "detached" });
  expect(await form("Empty").inputValue()).toBe("typed");
  expect(await form("Filled").inputValue()).toBe("typed over");
  expect(await page.locator("textarea[name=text]").inputValue()).toBe("typed over");
  expect(await form("Chosen").inputValue()).toBe("nerja");
  expect(await form("Not ticked").isChecked()).toBe(true);
  expect(await form("Ticked").isChecked()).toBe(false);
  expect(await page.getByRole("radio", { name: "Torrox" }).first().isChecked()).toBe(true);
});

test("what is missing is said at the form's head, and each line leads to its field", async () => {
  const page = await reader();
  await page.goto("/catalogue");
  await alive(page);
  await page.getByRole("button", { name: "Send", exact: true }).click();
  const list = page.getByRole("region", { name: "2 things are not right yet" });
  await list.waitFor();
  expect(await list.evaluate((element) => element === document.activeElement)).toBe(true);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  const name = page.getByLabel("Your name");
  await expect
    .poll(() => name.evaluate((element) => element === document.activeElement))
    .toBe(true);
  expect(await name.getAttribute("aria-invalid")).toBe("true");
  expect(
    await name.evaluate((element) =>
      (element.getAttribute("aria-describedby") ?? "")
        .split(" ")
        .map((id) => document.getElementById(id)?.textContent)
        .join(),
    ),
  ).toBe("Error: Tell us your name.");
  await page.keyboard.type("Ann");
  await list.getByRole("link", { name: "Choose what it is about." }).click();
  await page.keyboard.press("Space");
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await list.waitFor({ state: "detached" });
});
