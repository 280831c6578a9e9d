import { expect, test } from "vitest";
import { expectFaults, takesKeys } from "../../tests/e2e/site.ts";
import { hasFocus, part, server, signedIn } from "./operator.ts";

test("the stores can be paused, rebuilt, reconciled and purged, each after confirmation", async () => {
  const page = await signedIn();
  await part(page, "Stores");
  await page.getByText("398 current, 14 out of date").waitFor();
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
  await page.getByLabel("Allow mass removal").check();
  const reconcile = page.getByRole("dialog", { name: "Reconcile everything?" });
  await reconcile.getByRole("button", { name: "Reconcile" }).click();
  await page.getByRole("progressbar", { name: "Reconciling" }).waitFor();

  await page.getByRole("button", { name: "Purge by tag" }).click();
  const purge = page.getByRole("dialog", { name: "Purge pages by tag?" });
  await purge.getByRole("button", { name: "Purge by tag" }).click();
  await purge.getByText("Enter at least one tag").waitFor();
  expect(await hasFocus(purge.getByLabel("Tags"))).toBe(true);
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

test("a confirmed dialog ignores presses while it fades out", async () => {
  const page = await signedIn();
  await part(page, "Stores");
  await page.getByRole("button", { name: "Purge everything" }).click();
  const dialog = page.locator(".dialog");
  await takesKeys(dialog);
  const press = dialog.locator("button[type=submit]");
  await press.click({ trial: true });
  await dialog.evaluate((element) => {
    (element as HTMLElement).style.transitionDuration = "20s";
  });
  await press.click();
  await page.getByText("412 pages were purged.").waitFor();
  await expect.poll(() => press.getAttribute("aria-busy")).toBeNull();
  await dialog.locator("form").evaluate((form) => (form as HTMLFormElement).requestSubmit());
  await dialog.evaluate((element) => {
    for (const animation of element.getAnimations()) animation.finish();
  });
  await dialog.waitFor({ state: "detached" });
  expect(server.asked).toEqual([{ path: "/api/site/purge", body: { everything: true } }]);
});

test("an earlier refusal is not shown beside a new input error", async () => {
  const detail = "`x` is no tag";
  server.refusals.set("/api/site/purge", { status: 400, code: "invalid", detail });
  const page = await signedIn();
  await part(page, "Stores");
  await page.getByRole("button", { name: "Purge by tag" }).click();
  const dialog = page.getByRole("dialog", { name: "Purge pages by tag?" });
  const press = dialog.getByRole("button", { name: "Purge by tag" });
  await dialog.getByLabel("Tags").fill("x");
  await press.click();
  await dialog.getByText(detail).waitFor();
  expectFaults(/status of 400/);
  await dialog.getByLabel("Tags").fill("");
  await press.click();
  await dialog.getByText("Enter at least one tag").waitFor();
  await dialog.getByText(detail).waitFor({ state: "detached" });
});

test("while the read models are paused, no rebuild can be started", async () => {
  server.known.projections.paused = true;
  const page = await signedIn();
  await part(page, "Stores");
  await page.getByRole("button", { name: "Resume", exact: true }).waitFor();
  for (const name of ["Rebuild", "Swap back"]) {
    expect(await page.getByRole("button", { name, exact: true }).isDisabled()).toBe(true);
  }
});

test("every failing task of a collection is listed", async () => {
  const page = await signedIn();
  await part(page, "Stores");
  const troubles = page.getByRole("listitem").filter({ hasText: "docs" });
  await troubles.filter({ hasText: "reading reported changes" }).waitFor();
  await troubles.filter({ hasText: "comparing which items exist" }).waitFor();
  expect(await troubles.count()).toBe(2);
  const activity = page.getByRole("listitem").filter({ hasText: "directus_activity" });
  await activity.filter({ hasText: "reading the log of activities" }).waitFor();
});

test("a role that does not answer is announced once, however often it is polled", async () => {
  const path = "/api/sync/state";
  server.refusals.set(path, { status: 503, code: "unavailable", detail: "sync is away" });
  const page = await signedIn();
  await part(page, "Stores");
  const alert = page.getByRole("alert").filter({ hasText: "sync is away" });
  await alert.waitFor();
  const first = await alert.elementHandle();
  for (let times = 0; times < 2; times += 1) {
    await page.waitForResponse((response) => response.url().endsWith(path));
  }
  expect(await first?.evaluate((element) => element.isConnected)).toBe(true);

  server.refusals.clear();
  await page.getByText("Epoch", { exact: true }).waitFor();
  await alert.waitFor({ state: "detached" });
  expectFaults(/status of 503/);
});
