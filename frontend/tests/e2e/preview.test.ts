import type { Page, Response } from "playwright-core";
import { expect, test } from "vitest";
import { alive, ask, open, visitor } from "./site.ts";
import {
  DRAFTED,
  edit,
  editor,
  field,
  ITEM,
  ignoreStudioFaults,
  openPane,
  PAGE,
  STEP,
  STUDIO,
  shot,
  storageOf,
  textsIn,
  waitForDraft,
  write,
} from "./studio.ts";

/** Drafts of published items, which the site shows only to their editors. */

const isPublic = async () => (await (await ask(PAGE)).text()).includes(DRAFTED);

/** The timeout for a change of a draft on a slow machine. */
const SHOWN = { timeout: 90_000 };
/** The timeout of a test on a slow machine. */
const LIMIT = { timeout: 600_000 };

/** Returns an article for one test: tests that write drafts each have their own, since drafts stay. */
async function article(page: Page, offset: number): Promise<string> {
  const list = `${STUDIO}/items/articles?limit=1&offset=${offset}&fields=id`;
  const [found] = (await (await page.context().request.get(list)).json()).data;
  return `/articles/${found.id}`;
}

/** Waits for the next time that the form saves a draft, or tries to. */
function nextSave(page: Page): Promise<Response> {
  return page.waitForResponse(
    (answer) => answer.request().method() === "POST" && answer.url().includes("/versions"),
  );
}

test.runIf(STEP === "differences")(
  "a draft is previewed on the site's page beside the form, only for its editor",
  LIMIT,
  async () => {
    const page = await editor();
    await page.goto(`${STUDIO}/admin/content/properties/${ITEM}`);
    const frame = await openPane(page);
    await shot(page, "15-as-published");
    await write(textsIn(page, "English"), "Summary", `Evenings on the ${DRAFTED} terrace.`);
    await waitForDraft(page);
    await expect.poll(() => frame.locator("main").textContent(), SHOWN).toContain(DRAFTED);
    await expect.poll(() => frame.locator(".preview-bar").textContent(), SHOWN).toContain("Draft");
    // The browser would refuse to show the public page in the pane.
    expect(await frame.getByRole("link", { name: "End preview" }).count()).toBe(0);
    expect(await isPublic()).toBe(false);

    await frame.getByRole("button", { name: /Show differences/ }).click();
    await expect.poll(() => frame.locator(".preview-panel").textContent()).toContain(DRAFTED);
    await shot(page, "16-differences");

    const title = frame.locator("h1[data-directus]");
    expect(await title.getAttribute("data-directus")).toContain(`item:${ITEM};fields:translations`);
    const summary = frame.locator("main article header p", { hasText: DRAFTED });
    expect(await summary.getAttribute("data-directus")).toContain("fields:translations");
    const pictures = frame.locator("main article .mosaic");
    expect(await pictures.getAttribute("data-directus")).toContain("fields:images");
    const price = frame.locator("main article header .price");
    expect(await price.getAttribute("data-directus")).toContain("fields:price");
    const button = frame.locator(".directus-visual-editing-edit-button").first();
    await button.waitFor({ state: "attached" });
    expect(await button.evaluate((found) => getComputedStyle(found).position)).toBe("absolute");
    const site = page.frames().find((each) => each.url().includes(PAGE));
    expect(site && (await storageOf(site))).not.toContain(DRAFTED);
    ignoreStudioFaults();
  },
);

test.runIf(STEP === "differences")(
  "a published item may first be edited by a click, and from then on in its form",
  LIMIT,
  async () => {
    const page = await editor();
    await page.goto(`${STUDIO}/admin/content${await article(page, 0)}`);
    const frame = await openPane(page);
    const heading = frame.getByRole("heading", { level: 1 });
    const picture = frame.locator("main article > div:has(> picture)").first();
    await expect
      .poll(() => picture.getAttribute("data-directus"), SHOWN)
      .toContain("fields:image;");
    const title = `A ${DRAFTED} title`;
    const drawer = await edit(page, frame, heading);
    await write(textsIn(drawer, "English"), "Title", title);
    await drawer.getByRole("button", { name: "Save" }).click();
    await drawer.waitFor({ state: "hidden" });

    // The form shows the draft, and continues it.
    const texts = textsIn(page, "English");
    const written = field(texts, "Title").getByRole("textbox");
    await expect.poll(() => written.inputValue(), SHOWN).toBe(title);
    await expect.poll(() => heading.textContent(), SHOWN).toBe(title);
    const kept = nextSave(page);
    await write(texts, "Summary", `A ${DRAFTED} summary.`);
    expect((await kept).status()).toBe(200);
    const shown = () => frame.locator("main article header").textContent();
    await expect.poll(shown, SHOWN).toContain(`A ${DRAFTED} summary.`);
    expect(await shown()).toContain(title);
    await shot(page, "16-clicked-first");
    ignoreStudioFaults();
  },
);

test.runIf(STEP === "differences")(
  "a second editor learns of a draft before writing, and the first one of what is saved in it",
  LIMIT,
  async () => {
    const [first, second] = [await editor(), await editor()];
    const item = await article(first, 1);
    for (const page of [first, second]) {
      await page.goto(`${STUDIO}/admin/content${item}`);
      await field(textsIn(page, "English"), "Title").getByRole("textbox").waitFor();
    }
    const [title, summary] = [`A ${DRAFTED} title`, `A ${DRAFTED} summary.`];
    await write(textsIn(first, "English"), "Title", title);

    await second.getByRole("button", { name: "Edit", exact: true }).first().click();
    const texts = textsIn(second, "English");
    const written = field(texts, "Title").getByRole("textbox");
    await expect.poll(() => written.inputValue(), SHOWN).toBe(title);
    const kept = nextSave(second);
    await write(texts, "Summary", summary);
    expect((await kept).status()).toBe(200);
    expect((await kept).url()).toMatch(/\/versions\/[^/]+\/save/);
    const fields = "translations.title,translations.summary";
    const draft = await second
      .context()
      .request.get(`${STUDIO}/items${item}?version=draft&fields=${fields}`);
    expect((await draft.json()).data.translations).toContainEqual(
      expect.objectContaining({ title, summary }),
    );

    const told = field(first, "On the site").getByRole("status");
    await expect.poll(() => told.textContent(), SHOWN).toContain("saved this draft");
    await shot(first, "16-saved-elsewhere");
    ignoreStudioFaults();
  },
);

test.runIf(STEP === "differences")(
  "an editor who is about to start a draft that already exists is told so",
  LIMIT,
  async () => {
    const [first, second] = [await editor(), await editor()];
    const item = await article(first, 2);
    await second.goto(`${STUDIO}/admin/content${item}?version=draft`);
    await field(textsIn(second, "English"), "Title").getByRole("textbox").waitFor();
    await first.goto(`${STUDIO}/admin/content${item}`);
    await write(textsIn(first, "English"), "Title", `A ${DRAFTED} title`);
    const told = field(second, "On the site").getByRole("status");
    await expect.poll(() => told.textContent(), SHOWN).toContain("began a draft of this item");
    await shot(second, "16-begun-elsewhere");
    ignoreStudioFaults();
  },
);

test.runIf(STEP === "differences")(
  "a preview in Spanish stays in Spanish while the draft is written",
  LIMIT,
  async () => {
    const page = await editor();
    await page.goto(`${STUDIO}/admin/content/properties/${ITEM}?version=draft`);
    const frame = await openPane(page);
    const bar = frame.locator(".preview-bar");
    await bar.getByRole("link", { name: "Español" }).click();
    await expect.poll(() => bar.textContent(), SHOWN).toContain("Borrador");
    const anew = page.waitForResponse(
      (answer) =>
        answer.request().isNavigationRequest() && new URL(answer.url()).pathname === `/es${PAGE}`,
    );
    const summary = `Tardes en la terraza ${DRAFTED}.`;
    await write(textsIn(page, "Español"), "Summary", summary);
    await anew;
    await expect.poll(() => frame.locator("main").textContent(), SHOWN).toContain(summary);
    await expect.poll(() => bar.textContent(), SHOWN).toContain("Borrador");
    ignoreStudioFaults();
  },
);

test.runIf(STEP === "differences")(
  "a draft that is saved while the preview is loading is shown in it",
  LIMIT,
  async () => {
    const page = await editor();
    await page.goto(`${STUDIO}/admin/content/properties/${ITEM}?version=draft`);
    const frame = await openPane(page);
    // The page is loading until its pictures are there.
    const pictures = Promise.withResolvers<void>();
    await page.route("**/media/**", async (route) => {
      await pictures.promise;
      await route.continue().catch(() => undefined);
    });
    const texts = textsIn(page, "English");
    for (const light of ["First", "Last"]) {
      const kept = nextSave(page);
      await write(texts, "Summary", `${light} light on the ${DRAFTED} terrace.`);
      await kept;
    }
    const last = `Last light on the ${DRAFTED} terrace.`;
    await expect.poll(() => frame.locator("main").textContent(), SHOWN).toContain(last);
    pictures.resolve();
    ignoreStudioFaults();
  },
);

test.runIf(STEP === "differences")("in its own tab it continues, and ends", async () => {
  const page = await editor({ serviceWorkers: "allow" });
  // The worker stores visited pages from here on.
  await open(page, "/");
  const isKept = () => caches.match(location.href).then((kept) => kept !== undefined);
  await expect.poll(() => page.evaluate(isKept)).toBe(true);

  await page.goto(`${PAGE}?preview=on`);
  const bar = page.locator(".preview-bar");
  await bar.waitFor();
  expect(new URL(page.url()).searchParams.get("preview-ticket")).toBeNull();
  expect(await page.locator("main").textContent()).toContain(DRAFTED);
  await shot(page, "17-in-a-tab");
  // By the cookie alone, in the other language.
  await bar.getByRole("link", { name: "Español" }).click();
  await expect.poll(() => bar.textContent()).toContain("Vista previa");
  await alive(page);
  await bar.getByRole("link", { name: "Salir de la vista previa" }).click();
  await page.waitForURL((url) => url.pathname === `/es${PAGE}` && url.search === "");
  expect(await page.locator("main").textContent()).not.toContain(DRAFTED);
  await expect.poll(() => page.evaluate(isKept)).toBe(true);
  expect(await page.evaluate(() => sessionStorage.getItem("almijara-preview"))).toBeNull();
  const kept = await storageOf(page);
  expect(kept).toContain(PAGE);
  expect(kept).not.toContain(DRAFTED);
  ignoreStudioFaults();
});

test.runIf(STEP === "differences")("the address that ends a preview ends it", async () => {
  const page = await editor();
  await page.goto(`${PAGE}?preview=on`);
  await page.locator(".preview-bar").waitFor();
  await page.goto(`${PAGE}?preview=`);
  await page.waitForURL((url) => url.pathname === PAGE && url.search === "" && url.hash === "");
  expect(await page.locator("main").textContent()).not.toContain(DRAFTED);
  expect(await page.locator(".preview-bar").count()).toBe(0);
  expect(await page.evaluate(() => sessionStorage.getItem("almijara-preview"))).toBeNull();
  ignoreStudioFaults();
});

test.runIf(STEP === "words")(
  "the home page, a place and guides are previewed beside their forms",
  LIMIT,
  async () => {
    for (const item of (process.env.EDITOR_ITEMS ?? "").split(",")) {
      // The Studio remembers for each browser that the pane was open.
      const page = await editor();
      await page.goto(`${STUDIO}/admin/content/${item}?version=draft`);
      const frame = await openPane(page);
      await expect
        .poll(() => frame.locator("main").textContent(), { ...SHOWN, message: item })
        .toContain(DRAFTED);
      await expect
        .poll(() => frame.locator(".preview-bar").textContent(), { ...SHOWN, message: item })
        .toContain("Draft");
      const edited = frame.locator("main [data-directus]", { hasText: DRAFTED });
      expect(await edited.getAttribute("data-directus")).toContain(item.replace("/", ";item:"));
      await shot(page, `18-words-${item.replace("/", "-")}`);
      ignoreStudioFaults();
    }
  },
);

test.runIf(STEP === "differences")("a visitor who is not signed in sees no draft", async () => {
  const page = await visitor();
  const answer = await page.goto(`${PAGE}?preview=on`);
  expect(answer?.status()).toBe(401);
  expect(new URL(page.url()).origin).toBe(STUDIO);
  await page.goto(PAGE);
  expect(await page.content()).not.toContain(DRAFTED);
  expect(await page.locator(".preview-bar").count()).toBe(0);
  ignoreStudioFaults();
});
