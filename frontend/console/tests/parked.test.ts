import { expect, test } from "vitest";
import { faults } from "../../tests/e2e/axe.ts";
import { expectFaults, takesKeys } from "../../tests/e2e/site.ts";
import { position } from "./answers/common.ts";
import { hasFocus, part, server, signedIn } from "./operator.ts";

test("a parked item is read again after confirmation, and the audit trail has it", async () => {
  const page = await signedIn();
  await part(page, "Parked");
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe("H1");
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

  // Cancelled, it does nothing, and the focus returns to the button.
  await retry.click();
  const dialog = page.getByRole("dialog", { name: "Read this item again?" });
  await takesKeys(dialog);
  await dialog.getByText("properties/AH-1042").waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
  await expect.poll(() => hasFocus(retry)).toBe(true);
  expect(server.asked).toEqual([]);

  // A refusal of the role is shown in the dialog.
  const path = "/api/sync/parked/retry";
  server.refusals.set(path, {
    status: 503,
    code: "unavailable",
    detail: "the ledger can't be read",
  });
  await retry.click();
  await dialog.getByRole("button", { name: "Read again" }).click();
  await dialog.getByRole("alert").getByText("the ledger can't be read").waitFor();
  expectFaults(/status of 503/);
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

test("opening a parked item shows every difference, with broken rules marked", async () => {
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

  // An item that was corrected meanwhile is reported as such.
  const detail = "it is no longer parked";
  server.refusals.set("/api/sync/parked/item", { status: 422, code: "not-parked", detail });
  const other = page.getByRole("row").filter({ hasText: "articles" }).first();
  await other.getByText("All that differs").click();
  await other.getByRole("alert").getByText(detail).waitFor();
  expectFaults(/status of 422/);
});

test("an action applies only to rows that are chosen and still listed", async () => {
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

test("a dialog stays open when its list empties, and shows the refusal", async () => {
  server.known.parked.hints.splice(1);
  const page = await signedIn();
  await part(page, "Parked");
  const hints = page
    .locator("section")
    .filter({ has: page.getByRole("heading", { name: "Hints", exact: true }) });
  await hints.getByRole("checkbox", { name: "Choose the one listed" }).check();
  await hints.getByRole("button", { name: "Drop" }).click();
  const dialog = page.getByRole("dialog", { name: "Drop this hint?" });
  await takesKeys(dialog);
  server.known.parked.hints = [];
  await page.getByText("Every hint could be resolved.").waitFor();

  const path = "/api/sync/parked/drop";
  const detail = "the ledger can't be read";
  server.refusals.set(path, { status: 503, code: "unavailable", detail });
  await dialog.getByRole("button", { name: "Drop" }).click();
  await dialog.getByRole("alert").getByText(detail).waitFor();
  expect(server.asked).toEqual([{ path, body: { hints: [8_121] } }]);
  expectFaults(/status of 503/);
});
