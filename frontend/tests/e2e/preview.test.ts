import type { FrameLocator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { ask, BASE_URL, complaints, visitor } from "./site.ts";
import { editor, STUDIO, shot } from "./studio.ts";

/**
 * An editor's preview, in the Studio of a real Directus: `almijara/tests/system/preview.rs` starts one, makes the
 * home that is edited, and says so. The steps are made apart, so that stores can be looked through between.
 */
const { PREVIEW_STEP: STEP, PREVIEW_ITEM: ITEM = "" } = process.env;
const PAGE = process.env.PREVIEW_PAGE ?? "";
/** What the editor writes. It stands nowhere else. */
const WORD = process.env.PREVIEW_WORD ?? "";

/** Opens the page beside the form, and waits for what only a preview has. */
async function openPane(page: Page): Promise<FrameLocator> {
  await page.locator("button:has([data-icon=visibility])").first().click();
  const frame = page.frameLocator("iframe#frame");
  await frame.locator(".preview-bar").waitFor();
  return frame;
}

const isPublic = async () => (await (await ask(PAGE)).text()).includes(WORD);

test.runIf(STEP === "draft")(
  "a draft is seen on the site's page beside the form, by its editor alone",
  async () => {
    const page = await editor();
    await page.goto(`${STUDIO}/admin/content/properties/${ITEM}`);
    const frame = await openPane(page);
    await shot(page, "1-published");
    await page.locator(".field[data-field=floor] input").first().fill(WORD);
    await expect.poll(() => frame.locator("main").textContent()).toContain(WORD);
    await expect.poll(() => frame.locator(".preview-bar").textContent()).toContain("Draft");
    await shot(page, "2-draft");
    expect(await isPublic()).toBe(false);

    await frame.getByRole("button", { name: /Show differences/ }).click();
    await expect.poll(() => frame.locator(".preview-panel").textContent()).toContain(WORD);
    await shot(page, "3-differences");

    // The Studio's own buttons, drawn by our stylesheet, since the policy refuses theirs.
    const title = frame.locator("h1[data-directus]");
    expect(await title.getAttribute("data-directus")).toContain(`item:${ITEM};fields:translations`);
    await title.hover();
    const edit = frame.locator(".directus-visual-editing-edit-button").first();
    await edit.waitFor({ state: "attached" });
    expect(await edit.evaluate((button) => getComputedStyle(button).position)).toBe("absolute");
    await edit.dispatchEvent("click");
    await page.locator(".field[data-field=translations]").last().waitFor();
    await shot(page, "4-field");
    // The Studio's own noise; what the site's page says would be a fault of ours.
    expect(complaints()).not.toContain(new URL(BASE_URL).origin);
  },
);

test.runIf(STEP === "draft")("in a tab of its own it keeps on, and ends", async () => {
  const page = await editor();
  await page.goto(`${PAGE}?preview=on`);
  const bar = page.locator(".preview-bar");
  await bar.waitFor();
  expect(new URL(page.url()).searchParams.get("preview-ticket")).toBeNull();
  expect(await page.locator("main").textContent()).toContain(WORD);
  // By the cookie alone, and in the other language.
  await bar.getByRole("link", { name: "Español" }).click();
  await expect.poll(() => bar.textContent()).toContain("Vista previa");
  expect(await page.locator("main").textContent()).toContain(WORD);
  await bar.getByRole("link", { name: "Salir de la vista previa" }).click();
  await page.waitForURL((url) => url.pathname === `/es${PAGE}` && url.search === "");
  expect(await page.locator("main").textContent()).not.toContain(WORD);
  expect(await page.evaluate(() => sessionStorage.getItem("almijara-preview"))).toBeNull();
  complaints();
});

test.runIf(STEP === "words")(
  "the first page and guides are previewed beside their forms",
  async () => {
    for (const item of ITEM.split(",")) {
      // The Studio remembers of a browser that the pane was open.
      const page = await editor();
      await page.goto(`${STUDIO}/admin/content/${item}?version=draft`);
      const frame = await openPane(page);
      await expect
        .poll(() => frame.locator("main").textContent(), { message: item })
        .toContain(WORD);
      await expect
        .poll(() => frame.locator(".preview-bar").textContent(), { message: item })
        .toContain("Draft");
      const edited = frame.locator("main [data-directus]", { hasText: WORD });
      expect(await edited.getAttribute("data-directus")).toContain(item.replace("/", ";item:"));
      await shot(page, `words-${item.replace("/", "-")}`);
      complaints();
    }
  },
);

test.runIf(STEP === "draft")("who is not signed in sees no draft", async () => {
  const page = await visitor();
  const answer = await page.goto(`${PAGE}?preview=on`);
  expect(answer?.status()).toBe(401);
  expect(new URL(page.url()).origin).toBe(STUDIO);
  await page.goto(PAGE);
  expect(await page.content()).not.toContain(WORD);
  expect(await page.locator(".preview-bar").count()).toBe(0);
  complaints();
});

test.runIf(STEP === "publish")("what is published is seen by everybody", async () => {
  const page = await editor();
  await page.goto(`${STUDIO}/admin/content/properties/${ITEM}?version=draft`);
  await page
    .getByRole("button", { name: /^Publish/ })
    .first()
    .click();
  await shot(page, "5-compare");
  await page.getByRole("button", { name: "Apply" }).click();
  await expect.poll(isPublic).toBe(true);
  await shot(page, "6-published");
  complaints();
});
