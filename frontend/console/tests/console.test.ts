import { mkdirSync } from "node:fs";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { faults } from "../../tests/e2e/axe.ts";
import { complaints, open, takesKeys, visitor } from "../../tests/e2e/site.ts";
import { position } from "./answers.ts";
import { CODE, ConsoleServer, PASSWORD } from "./console-server.ts";

const PARTS = ["/", "/publishes", "/parked", "/stores", "/visitors", "/deliveries", "/audit"];
/** Where pictures of every page go, if anywhere: to be looked at by people. */
const PICTURES = process.env.CONSOLE_PICTURES;

const server = new ConsoleServer();
beforeAll(() => server.listen());
afterAll(() => server.close());
beforeEach(() => server.reset());

type Options = Parameters<typeof visitor>[0];

async function operator(options: Options = {}): Promise<Page> {
  return visitor({ baseURL: server.url, viewport: { width: 1440, height: 900 }, ...options });
}

/** An operator who has signed in and stands before the flow. */
async function signedIn(name = "ana", options: Options = {}): Promise<Page> {
  const page = await operator(options);
  await page.goto("/sign-in");
  await giveCredentials(page, name);
  await page.locator("header").waitFor();
  return page;
}

async function giveCredentials(page: Page, name: string): Promise<void> {
  await page.locator("input[name=name]").fill(name);
  await page.locator("input[name=password]").fill(PASSWORD);
  await page.locator("input[name=code]").fill(CODE);
  await page.locator("button[type=submit]").click();
}

async function part(page: Page, name: string): Promise<void> {
  await page.getByRole("navigation").getByRole("link", { name }).click();
  await page.getByRole("heading", { level: 1, name }).waitFor();
}

test("who is not signed in is asked to, and led to where they wanted to go", async () => {
  const page = await operator();
  await open(page, "/parked");
  await page.waitForURL("**/sign-in?next=%2Fparked");
  expect(complaints()).toContain("401");

  const button = page.getByRole("button", { name: "Sign in" });
  await button.click();
  const summary = page.getByRole("region", { name: "3 things are not right yet" });
  await takesKeys(summary);

  await page.getByLabel("Operator's name").fill("ana");
  await page.getByLabel("Password").fill("wrong");
  await page.getByLabel("Code").fill("123 456");
  await button.click();
  await page.getByRole("alert").getByText("don't go together").waitFor();
  expect(await page.getByLabel("Code").inputValue()).toBe("");
  expect(await page.getByLabel("Code").evaluate((field) => field === document.activeElement)).toBe(
    true,
  );
  await page.getByLabel("Code").fill("000000");
  await button.click();
  await page.getByRole("alert").getByText("Try again in 1 min 30 s").waitFor();
  complaints();

  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByLabel("Code").fill(CODE);
  await button.click();
  await page.waitForURL("**/parked");
  await page.getByRole("heading", { level: 1, name: "Parked" }).waitFor();
});

test("the flow says how each step is, follows what happens, and says when it can't", async () => {
  const page = await signedIn();
  await page.getByText("Live", { exact: true }).waitFor();
  const steps = page.getByRole("region", { name: "The seven steps" });
  expect(await steps.getByRole("listitem").count()).toBe(7);
  await steps.getByText("Index: Stopped").waitFor();
  await steps.getByText("Project: Slow").waitFor();
  expect(await page.getByRole("article").count()).toBe(0);

  server.known.projections.lag = 0;
  await steps.getByText("Project: Slow").waitFor({ state: "detached" });

  server.cut();
  await page.getByText("Connection lost").first().waitFor();
  await page.getByText(/What is shown is \d+\ss old/).waitFor();
  server.connect();
  await page.getByText("Live", { exact: true }).waitFor();
  await page.getByText(/What is shown is/).waitFor({ state: "detached" });
  complaints();
});

test("a parked item is read again after a question, and the trail says so", async () => {
  const page = await signedIn();
  await part(page, "Parked");
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("H1");
  const item = page.getByRole("row").filter({ hasText: "AH-1042" }).first();
  await item.getByText("must be a whole number above 0").waitFor();
  await item.getByText("485000").waitFor();
  const trace = item.getByRole("link", { name: /^Trace/ });
  expect(await trace.getAttribute("href")).toBe(
    "https://traces.example/trace/4bf92f3577b34da6a3ce929d0e0e4736",
  );

  const retry = page.getByRole("button", { name: "Read again" });
  expect(await retry.isDisabled()).toBe(true);
  await item.getByRole("checkbox", { name: "Choose properties/AH-1042" }).check();
  await page.getByText("1 chosen").waitFor();

  // Left alone, nothing is done, and the keys go back to the button.
  await retry.click();
  const dialog = page.getByRole("dialog", { name: "Read this item again?" });
  await takesKeys(dialog);
  await dialog.getByText("properties/AH-1042").waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
  expect(await retry.evaluate((button) => button === document.activeElement)).toBe(true);
  expect(server.asked).toEqual([]);

  // What the role refuses is said in the dialog.
  const path = "/api/sync/parked/retry";
  server.refusals.set(path, {
    status: 503,
    code: "unavailable",
    detail: "the ledger can't be read",
  });
  await retry.click();
  await dialog.getByRole("button", { name: "Read again" }).click();
  await dialog.getByRole("alert").getByText("the ledger can't be read").waitFor();
  expect(complaints()).toContain("503");
  server.refusals.clear();

  await dialog.getByRole("button", { name: "Read again" }).click();
  await dialog.waitFor({ state: "hidden" });
  await page.getByText("One is being read again.").waitFor();
  await item.waitFor({ state: "detached" });
  expect(server.asked.at(-1)).toEqual({
    path,
    body: { items: [{ collection: "properties", key: "AH-1042" }], hints: [] },
  });

  await part(page, "Audit");
  await page.getByRole("row").filter({ hasText: "sync/parked/retry" }).first().waitFor();
  await page.getByText("done (200)").first().waitFor();
});

test("all that differs of a parked item is shown to who opens it, what breaks a rule marked", async () => {
  const page = await signedIn("luis");
  await part(page, "Parked");
  const item = page.getByRole("row").filter({ hasText: "AH-1042" }).first();
  await item.getByText("All that differs").click();
  const bedrooms = item.getByRole("listitem").filter({ hasText: "bedrooms" });
  await bedrooms.waitFor();
  expect(await bedrooms.textContent()).toMatch(/Now4.*Last goodnothing/);
  const broken = item.getByRole("listitem").filter({ hasText: "breaks a rule" });
  expect(await broken.locator("code").allTextContents()).toEqual([
    "price",
    "translations.es-ES.title",
  ]);
  await item.getByText("…a terrace that looks to the hills…").waitFor();
  await item.getByText("3 more differ.").waitFor();
  expect(await faults(page)).toEqual([]);

  // What is mended meanwhile is said to be.
  const detail = "it is not parked any more";
  server.refusals.set("/api/sync/parked/item", { status: 422, code: "not-parked", detail });
  const other = page.getByRole("row").filter({ hasText: "articles" }).first();
  await other.getByText("All that differs").click();
  await other.getByRole("alert").getByText(detail).waitFor();
  expect(complaints()).toContain("422");
});

test("only what is listed and chosen is acted on", async () => {
  const page = await signedIn();
  await part(page, "Parked");
  const letters = page
    .locator("section")
    .filter({ has: page.getByRole("heading", { name: "Dead letters" }) });
  await letters.getByRole("checkbox", { name: "Choose all 2 listed" }).check();
  // One of them is gone before the button is pressed.
  server.known.deadLetters.shift();
  const gone = page.getByRole("row").filter({ hasText: "content.properties.AH-0991" });
  await gone.waitFor({ state: "detached" });
  await letters.getByRole("button", { name: "Drop" }).click();
  const dialog = page.getByRole("dialog", { name: "Drop this dead letter?" });
  await dialog.getByRole("button", { name: "Drop" }).click();
  await page.getByText("One dead letter was dropped.").waitFor();
  expect(server.asked).toEqual([
    {
      path: "/api/projections/dead-letters/drop",
      body: { subjects: ["content.docs.17"], upTo: position(5_090) },
    },
  ]);
});

test("the stores can be paused, rebuilt, reconciled and purged, each after a question", async () => {
  const page = await signedIn();
  await part(page, "Stores");
  const confirm = async (button: string, title: string, press = button) => {
    await page.getByRole("button", { name: button, exact: true }).click();
    const dialog = page.getByRole("dialog", { name: title });
    await dialog.getByRole("button", { name: press, exact: true }).click();
    await dialog.waitFor({ state: "hidden" });
  };
  await confirm("Pause capture", "Pause capture?");
  await confirm("Resume capture", "Resume capture?");
  await confirm("Rebuild", "Rebuild the read models?");
  await page.getByRole("progressbar", { name: "Filling a new generation" }).waitFor();
  await page.getByText("3,120 done, 2,001 left, about 14 s more").waitFor();
  expect(await page.getByRole("button", { name: "Rebuild", exact: true }).isDisabled()).toBe(true);

  await page.getByRole("button", { name: "Reconcile" }).click();
  await page.getByLabel("Also take off much at once").check();
  const reconcile = page.getByRole("dialog", { name: "Reconcile everything?" });
  await reconcile.getByRole("button", { name: "Reconcile" }).click();
  await page.getByRole("progressbar", { name: "Reconciling" }).waitFor();

  await page.getByRole("button", { name: "Purge by tag" }).click();
  const purge = page.getByRole("dialog", { name: "Purge pages by tag?" });
  await purge.getByRole("button", { name: "Purge by tag" }).click();
  await purge.getByText("Name at least one tag").waitFor();
  await purge.getByLabel("Tags").fill("property:AH-1042\nlist:properties");
  await purge.getByRole("button", { name: "Purge by tag" }).click();
  await page.getByText("3 pages were purged.").waitFor();
  expect(server.asked).toEqual([
    { path: "/api/sync/pause", body: { what: "capture" } },
    { path: "/api/sync/resume", body: { what: "capture" } },
    { path: "/api/projections/rebuild", body: {} },
    { path: "/api/sync/reconcile", body: { allowMassRemoval: true } },
    { path: "/api/site/purge", body: { tags: ["property:AH-1042", "list:properties"] } },
  ]);
});

test("a page that was not found is led somewhere", async () => {
  const page = await signedIn();
  await part(page, "Visitors");
  const row = page.getByRole("row").filter({ hasText: "/properties-for-sale-nerja.html" });
  await row.getByRole("button", { name: "Redirect" }).click();
  const dialog = page.getByRole("dialog", { name: "Make a redirect?" });
  await dialog.getByLabel("To").fill("https://elsewhere.example/");
  await dialog.getByRole("button", { name: "Make a redirect" }).click();
  await dialog.getByText("Give another path of the site").waitFor();
  await dialog.getByLabel("To").fill("/property-for-sale/nerja");
  await dialog.getByRole("button", { name: "Make a redirect" }).click();
  await row.waitFor({ state: "detached" });
  // The button went with its row.
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe("H1");
  expect(server.asked).toEqual([
    {
      path: "/api/redirects",
      body: {
        from: "/properties-for-sale-nerja.html",
        to: "/property-for-sale/nerja",
        permanent: true,
      },
    },
  ]);
});

test("a delivery that failed is tried again", async () => {
  const page = await signedIn();
  await part(page, "Deliveries");
  await page.getByRole("checkbox", { name: /Enquiry by mail to the office/ }).check();
  await page.getByRole("button", { name: "Try again" }).click();
  const dialog = page.getByRole("dialog", { name: "Try this job again?" });
  await dialog.getByRole("button", { name: "Try again" }).click();
  await page.getByText("One job is tried again.").waitFor();
  expect(server.asked).toEqual([
    { path: "/api/command/jobs/retry", body: { ids: ["019ab3c2-5f00-7cc1-9d4e-5f0e4b6a7a01"] } },
  ]);
});

test("publishes have pages, each with an address", async () => {
  const page = await signedIn();
  await part(page, "Publishes");
  await page.getByText("The log refuses it").waitFor();
  await page.getByRole("link", { name: "Older" }).click();
  await page.waitForURL("**/publishes?before=3951");
  await page.goBack();
  await page.waitForURL("**/publishes");
  await page.getByText("The log refuses it").waitFor();
});

test("who may only look sees nothing that acts, and is told why", async () => {
  const page = await signedIn("luis");
  for (const path of PARTS) {
    await open(page, path);
    await page.getByText("You may look, but not act").waitFor();
    await page.locator("main h1").waitFor();
    await page.locator("main [aria-hidden=true].bg-sunk").first().waitFor({ state: "detached" });
    expect(await page.locator("main").getByRole("checkbox").count()).toBe(0);
    expect(await page.locator("main").getByRole("button").count()).toBe(0);
  }
});

test("on a telephone the part that is shown is in sight among the others", async () => {
  const page = await signedIn("ana", { viewport: { width: 390, height: 844 } });
  await open(page, "/audit");
  const link = page.getByRole("navigation").getByRole("link", { name: "Audit" });
  await link.waitFor();
  await expect
    .poll(async () => (await link.boundingBox())?.x ?? Number.POSITIVE_INFINITY)
    .toBeLessThan(330);
});

test("whose session ends is asked to sign in, and comes back", async () => {
  const page = await signedIn();
  await part(page, "Stores");
  server.signOutAll();
  await page.waitForURL("**/sign-in?next=%2Fstores");
  await giveCredentials(page, "ana");
  await page.getByRole("heading", { level: 1, name: "Stores" }).waitFor();
  await page.getByText("Live", { exact: true }).waitFor();
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("H1");
  expect(complaints()).toContain("401");
});

test("the language is the browser's until another is chosen, which stays", async () => {
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
  complaints();
});

test.each(["en", "es"] as const)("every page in %s can be used by everybody", async (language) => {
  const page = await signedIn("ana", {
    locale: language === "es" ? "es-ES" : "en-GB",
    // Colours that change slowly are judged half way.
    reducedMotion: "reduce",
  });
  const found: unknown[] = [];
  for (const path of PARTS) {
    await open(page, (language === "es" ? `/es${path}` : path).replace(/\/$/, "") || "/");
    await page.locator("main h1").waitFor();
    await page.locator("main [aria-hidden=true].bg-sunk").first().waitFor({ state: "detached" });
    found.push(...(await faults(page)));
    for (const width of [1440, 1024, 860, 768, 700, 390, 320]) {
      await page.setViewportSize({ width, height: 900 });
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      if (wide > width) found.push([path, width, `the page is ${wide} wide`]);
    }
  }
  expect(found).toEqual([]);
});

test("the dialogs and the sign-in can be used by everybody", async () => {
  const page = await signedIn("ana", { reducedMotion: "reduce" });
  const found: unknown[] = [];
  await part(page, "Stores");
  for (const name of ["Reconcile", "Purge by tag"]) {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole("button", { name }).click();
    await takesKeys(page.getByRole("dialog"));
    found.push(...(await faults(page)));
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
  }
  await page.goto("/sign-in");
  await page.locator("h1").waitFor();
  found.push(...(await faults(page)));
  expect(found).toEqual([]);
});

test.runIf(PICTURES)("every page has its picture taken", async () => {
  mkdirSync(PICTURES ?? "", { recursive: true });
  const page = await signedIn("ana", { reducedMotion: "reduce" });
  const taken = async (name: string, fullPage: boolean) => {
    for (const width of [1440, 768, 390]) {
      for (const colorScheme of ["light", "dark"] as const) {
        await page.setViewportSize({ width, height: 900 });
        await page.emulateMedia({ colorScheme });
        await page.screenshot({
          path: `${PICTURES}/${name}-${width}-${colorScheme}.png`,
          fullPage,
        });
      }
    }
  };
  await part(page, "Parked");
  await page.getByRole("checkbox", { name: "Choose all 2 listed" }).first().check();
  await page.getByRole("button", { name: "Read again" }).click();
  await takesKeys(page.getByRole("dialog"));
  await taken("question", false);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: /^ana/ }).click();
  await taken("account", false);
  for (const path of [...PARTS, "/sign-in"]) {
    await open(page, path);
    await page.locator("h1").waitFor();
    await page.locator("main [aria-hidden=true].bg-sunk").first().waitFor({ state: "detached" });
    await taken(path === "/" ? "flow" : path.slice(1), true);
  }
});
