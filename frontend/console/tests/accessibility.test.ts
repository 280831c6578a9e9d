import { expect, test } from "vitest";
import { faults } from "../../tests/e2e/axe.ts";
import { expectFaults, open, takesKeys } from "../../tests/e2e/site.ts";
import { PARTS, part, server, signedIn } from "./operator.ts";

test("an operator who may not act sees no actions, and is told why", async () => {
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

test("on a phone the current part is visible in the navigation", async () => {
  const page = await signedIn("ana", { viewport: { width: 390, height: 844 } });
  await open(page, "/audit");
  const link = page.getByRole("navigation").getByRole("link", { name: "Audit" });
  await link.waitFor();
  await expect
    .poll(async () => (await link.boundingBox())?.x ?? Number.POSITIVE_INFINITY)
    .toBeLessThan(330);
});

test.each(["en", "es"] as const)("every page in %s can be used by everybody", async (language) => {
  const page = await signedIn("ana", {
    locale: language === "es" ? "es-ES" : "en-GB",
    // A colour in transition would be checked halfway.
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
  server.signOutAll();
  await page.getByText("Your session has ended.").waitFor();
  found.push(...(await faults(page)));
  expectFaults(/status of 401|ERR_INCOMPLETE_CHUNKED_ENCODING/);
  expect(found).toEqual([]);
});
