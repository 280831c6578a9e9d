import { createHmac } from "node:crypto";
import { writeFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { ask, expectFaults, visitor } from "./site.ts";

/**
 * An operator's day in the console. `almijara/tests/system/operator_journey.rs` starts everything, parks an
 * item, corrects it, and names the step to run. The steps run separately, so that it can act in between.
 */
const { CONSOLE_URL: CONSOLE = "", OPERATOR_STEP: STEP, OPERATOR_BROWSER: BROWSER } = process.env;
const { OPERATOR_NAME = "", OPERATOR_PASSWORD = "", OPERATOR_SECRET = "" } = process.env;
/** The paths that visitors read while the read models are rebuilt. */
const READ = ["/property-for-sale", "/es/property-for-sale", "/api/properties?q=pool", "/"];

/** Takes a screenshot. */
async function shot(page: Page, name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS;
  const whole = { fullPage: true } as const;
  if (folder) await writeFile(`${folder}/${name}.png`, await page.screenshot(whole));
}

/** Returns the current six-digit code, as an authenticator computes it (RFC 6238). */
function code(): string {
  const bits = [...OPERATOR_SECRET].map((letter) =>
    "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(letter).toString(2).padStart(5, "0"),
  );
  const bytes = bits.join("").match(/.{8}/g) ?? [];
  const secret = Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000)));
  const hash = createHmac("sha1", secret).update(counter).digest();
  const start = (hash.at(-1) ?? 0) & 15;
  return String((hash.readUInt32BE(start) & 0x7fffffff) % 1_000_000).padStart(6, "0");
}

async function signIn(page: Page, password = OPERATOR_PASSWORD): Promise<void> {
  await page.getByLabel("Operator's name").fill(OPERATOR_NAME);
  await page.getByLabel("Password").fill(password);
  await page.getByLabel("Code").fill(code());
  await page.getByRole("button", { name: "Sign in" }).click();
}

/** Opens the console, with the browser state of the previous step if `kept`. */
async function browser(path: string, kept = true): Promise<Page> {
  const state = kept && BROWSER ? { storageState: BROWSER } : {};
  const page = await visitor({
    baseURL: CONSOLE,
    viewport: { width: 1440, height: 1000 },
    ...state,
  });
  await page.goto(path);
  return page;
}

/** The browser logs the expected 401 before signing in, and nothing else. */
const expectOnlySignedOut = () => expectFaults(/status of 401/, 0);

/** Presses the button `name`, and confirms the dialog. */
async function act(page: Page, name: string, picture: string): Promise<void> {
  await page.getByRole("button", { name, exact: true }).click();
  // The toast that reports the result has the role of a dialog, too.
  const leave = page.getByRole("button", { name: "Cancel" });
  const dialog = page.getByRole("dialog").filter({ has: leave });
  await dialog.waitFor();
  await shot(page, picture);
  await dialog.getByRole("button", { name, exact: true }).click();
  await dialog.waitFor({ state: "hidden" });
}

async function liveGeneration(page: Page): Promise<number | undefined> {
  const answer = await page.request.get("/api/projections/state");
  const { generations } = (await answer.json()) as {
    generations: { number: number; live: boolean }[];
  };
  return generations.find(({ live }) => live)?.number;
}

test.runIf(STEP === "parked")("an operator signs in and sees what is parked, and why", async () => {
  const page = await browser("/parked", false);
  await page.waitForURL(/\/sign-in/);
  await shot(page, "01-sign-in");
  await signIn(page, "not-the-password-of-anybody");
  await page.getByRole("alert").waitFor();
  await signIn(page);
  await page.waitForURL(`${CONSOLE}/parked`);
  const items = page.getByRole("table", { name: "Items" });
  await items.waitFor();
  const told = await items.textContent();
  expect(told).toContain("properties");
  expect(told).toContain("price");
  expect(told).toContain("-5");
  expect(told).toMatch(/must/);
  if (process.env.OPERATOR_TRACES) {
    const trace = items.getByRole("link", { name: /^Trace/ });
    await trace.waitFor();
    expect(await trace.getAttribute("href")).toMatch(/\/trace\/[0-9a-f]{32}$/);
  }
  await shot(page, "02-parked");
  await page.goto("/");
  await page.getByRole("heading", { name: "Flow", exact: true }).waitFor();
  for (const step of ["Hint", "Capture", "Publish", "Project", "Index", "Purge", "Render"]) {
    await page.getByRole("heading", { name: step, exact: true }).waitFor();
  }
  await shot(page, "03-flow");
  await page.goto("/publishes");
  await page.getByRole("table").waitFor();
  await shot(page, "04-publishes");
  if (BROWSER) await page.context().storageState({ path: BROWSER });
  expectOnlySignedOut();
});

test.runIf(STEP === "mended")(
  "an item that an editor has corrected is read again, and no longer parked",
  async () => {
    const page = await browser("/parked");
    await page.getByRole("checkbox", { name: /^Choose properties/ }).check();
    await act(page, "Read again", "05-read-again");
    await page.getByText("No item is parked.").waitFor();
    await shot(page, "06-nothing-parked");
    expectOnlySignedOut();
  },
);

test.runIf(STEP === "rebuild")("read models are rebuilt while visitors read", async () => {
  const page = await browser("/stores");
  await page.getByRole("button", { name: "Rebuild", exact: true }).waitFor();
  const before = await liveGeneration(page);
  let isOver = false;
  const statuses = new Map<number, number>();
  const reading = READ.map(async (path) => {
    while (!isOver) {
      const answer = await ask(path);
      await answer.body?.cancel();
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    }
  });
  try {
    await act(page, "Rebuild", "07-rebuild");
    await page.getByRole("progressbar", { name: "Filling a new generation" }).waitFor();
    await shot(page, "08-filling");
    await expect.poll(() => liveGeneration(page), { timeout: 120_000 }).not.toBe(before);
  } finally {
    isOver = true;
  }
  await Promise.all(reading);
  expect([...statuses.keys()]).toEqual([200]);
  expect(statuses.get(200)).toBeGreaterThan(20);
  await page.getByText("Last filled").waitFor();
  await shot(page, "09-filled");
  expectOnlySignedOut();
});

test.runIf(STEP === "trail")("the audit trail has who did what", async () => {
  const page = await browser("/audit");
  const lines = page.getByRole("table");
  await lines.waitFor();
  for (const action of ["sync/parked/retry", "projections/rebuild", "sign-in"]) {
    const line = lines.getByRole("row").filter({ hasText: action }).filter({ hasText: "done" });
    expect(await line.first().textContent()).toContain(OPERATOR_NAME);
  }
  const refused = lines.getByRole("row").filter({ hasText: "refused" });
  expect(await refused.first().textContent()).toContain("sign-in");
  await shot(page, "10-audit");
  expectOnlySignedOut();
});

test.runIf(STEP === "viewer")("an operator who may not act sees no actions", async () => {
  const page = await browser("/stores", false);
  await page.waitForURL(/\/sign-in/);
  await signIn(page);
  await page.waitForURL(`${CONSOLE}/stores`);
  await page.getByText("You may look, but not act", { exact: false }).first().waitFor();
  for (const action of ["Rebuild", "Reconcile", "Purge everything", "Pause"]) {
    expect(await page.getByRole("button", { name: action, exact: true }).count()).toBe(0);
  }
  const origin = { "sec-fetch-site": "same-origin" };
  const pressed = await page.request.post("/api/projections/rebuild", {
    headers: origin,
    data: {},
  });
  expect(pressed.status()).toBe(403);
  await shot(page, "11-may-look");
  expectOnlySignedOut();
});

test.runIf(STEP === "rotated")("a rotated secret ends earlier sessions", async () => {
  const page = await browser("/parked");
  await page.waitForURL(/\/sign-in/);
  await signIn(page);
  await page.waitForURL(`${CONSOLE}/parked`);
  await page.getByText("No item is parked.").waitFor();
  await shot(page, "12-signed-in-again");
  expectOnlySignedOut();
});
