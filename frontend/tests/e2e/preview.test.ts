import { writeFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { ask, complaints, visitor } from "./site.ts";

/**
 * An editor's preview, in the Studio of a real Directus: `almijara/tests/preview.rs` starts one, makes the
 * home that is edited, and says so. The steps are made apart, so that stores can be looked through between.
 */
const { STUDIO_URL: STUDIO = "", PREVIEW_STEP: STEP, PREVIEW_ITEM: ITEM = "" } = process.env;
const PAGE = process.env.PREVIEW_PAGE ?? "";
/** What the editor writes. It stands nowhere else. */
const WORD = process.env.PREVIEW_WORD ?? "";

async function signIn(page: Page): Promise<void> {
  await page.goto(`${STUDIO}/admin/login`);
  await page.locator("input[type=email]").fill(process.env.EDITOR_EMAIL ?? "");
  await page.locator("input[type=password]").fill(process.env.EDITOR_PASSWORD ?? "");
  await page.locator("button[type=submit]").click();
  await page.waitForURL(/\/admin\/(?!login)/);
}

/** The Studio complains of much that is no business of ours. */
async function editor(): Promise<Page> {
  const page = await visitor({ viewport: { width: 1600, height: 1000 } });
  await signIn(page);
  await page.goto(`${STUDIO}/admin/content/properties/${ITEM}`);
  return page;
}

test.runIf(STEP === "draft")(
  "a draft is seen on the site's page, by its editor alone",
  async () => {
    const page = await editor();
    await shot(page, "1-form");
    complaints();
  },
);

async function shot(page: Page, name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS;
  if (folder) await writeFile(`${folder}/${name}.png`, await page.screenshot());
}

void ask;
void PAGE;
void WORD;
