import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { BrowserContextOptions, Frame, FrameLocator, Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { BASE_URL, complaints, visitor } from "./site.ts";

/**
 * The Studio of a real Directus, as editors find their way in it: `almijara/tests/system/editors_day` starts it,
 * and says which step of the day is made.
 */
export const STUDIO = process.env.STUDIO_URL ?? "";
export const STEP = process.env.EDITOR_STEP;
/** The home that is written, as the Studio and the site have it. */
export const ITEM = process.env.EDITOR_ITEM ?? "";
export const PAGE = process.env.EDITOR_PAGE ?? "";
/** What the editor drafts and never publishes, and what they publish. They stand nowhere else. */
export const DRAFTED = process.env.EDITOR_DRAFTED ?? "";
export const PUBLISHED = process.env.EDITOR_PUBLISHED ?? "";
const ACCOUNT = {
  email: process.env.EDITOR_EMAIL ?? "",
  password: process.env.EDITOR_PASSWORD ?? "",
};

/** The Studio does much at once, and a small machine is slow at it. */
const PATIENCE = 90_000;
/** How long one of several tries may take, in milliseconds. */
const A_WHILE = 30_000;

/** A moment of the day. */
export async function shot(page: Page, name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS;
  if (folder) await writeFile(join(folder, `${name}.png`), await page.screenshot());
}

/**
 * A browser with room for a form and its page beside it. Its editor asks for little motion: the picture that
 * moves behind the Studio's sign-in takes a small machine a minute.
 */
export async function studio(options: BrowserContextOptions = {}): Promise<Page> {
  const viewport = { width: 1600, height: 1000 };
  const page = await visitor({ viewport, reducedMotion: "reduce", ...options });
  page.setDefaultTimeout(PATIENCE);
  return page;
}

/** Signs in as editors do. */
export async function signIn(page: Page): Promise<void> {
  await page.goto(`${STUDIO}/admin`);
  await page.getByPlaceholder("Email").fill(ACCOUNT.email);
  await page.getByPlaceholder("Password").fill(ACCOUNT.password);
  await shot(page, "01-sign-in");
  await page.getByRole("button", { name: "Sign In" }).click();
}

/** The browser of an editor who is signed in. */
export async function editor(options: BrowserContextOptions = {}): Promise<Page> {
  const page = await studio(options);
  // By a call: the form has a step of its own.
  const signedIn = await page.context().request.post(`${STUDIO}/auth/login`, {
    data: { ...ACCOUNT, mode: "session" },
  });
  expect(signedIn.status()).toBe(200);
  return page;
}

/** A field of a form by what it is called there; of those within each other the innermost. */
export function field(form: Page | Locator, name: string): Locator {
  const page = "page" in form ? form.page() : form;
  const label = page.locator(".field-label").getByText(name, { exact: true });
  return form.locator(".field").filter({ has: label }).last();
}

/** What is written into of a field, as numbers or as text. */
const input = (form: Page | Locator, name: string) =>
  field(form, name).getByRole("spinbutton").or(field(form, name).getByRole("textbox"));

/** Writes into a field. */
export async function write(form: Page | Locator, name: string, text: string): Promise<void> {
  await input(form, name).fill(text);
}

/** Writes into fields, and once more where a busy Studio forgot one as another was written: an editor would see that. */
export async function writeAll(page: Page, texts: Record<string, string>): Promise<void> {
  const missing = async () => {
    const names = [];
    for (const [name, text] of Object.entries(texts)) {
      if ((await input(page, name).inputValue()) !== text) names.push(name);
    }
    return names;
  };
  const left = async () => {
    for (const name of await missing()) await write(page, name, texts[name] ?? "");
    return missing();
  };
  await expect.poll(left, { timeout: 3 * A_WHILE }).toEqual([]);
}

/**
 * Waits until no dialog lies over the form, and says what one that stays is about. On a busy machine one once
 * stayed when its work was done: an editor would close it.
 */
export async function nothingOver(page: Page): Promise<void> {
  const dialogs = page.locator("#dialog-outlet .overlay").filter({ visible: true });
  const gone = async () => {
    await dialogs
      .first()
      .waitFor({ state: "hidden", timeout: A_WHILE })
      .catch(() => undefined);
    if ((await dialogs.count()) > 0) await page.keyboard.press("Escape");
    return (await dialogs.count()) > 0 ? page.locator("#dialog-outlet").innerText() : "";
  };
  await expect.poll(gone, { timeout: 3 * A_WHILE }).toBe("");
}

/**
 * Opens the lists of fields by the keyboard, and chooses of them: under the mouse a group may still open or
 * close. A busy Studio may close a list and choose nothing, forget a choice when the next field's is made, or
 * ask of itself whether to leave the page: an editor would see that, stay, and choose again.
 */
export async function choose(page: Page, choices: Record<string, string>): Promise<void> {
  const select = (name: string) => field(page, name).locator(".v-select input");
  const missing = async () => {
    const names = [];
    for (const [name, choice] of Object.entries(choices)) {
      if ((await select(name).inputValue()) !== choice) names.push(name);
    }
    return names;
  };
  const stay = page.getByRole("button", { name: "Keep Editing" });
  const left = async () => {
    if (await stay.isVisible()) await stay.click();
    for (const name of await missing()) {
      const choice = page.locator(".v-menu-popper").getByText(choices[name] ?? "", { exact: true });
      if (!(await choice.isVisible())) await select(name).press("Enter");
      await choice.click({ timeout: A_WHILE }).catch(() => undefined);
    }
    return missing();
  };
  await expect.poll(left, { timeout: 3 * A_WHILE }).toEqual([]);
}

/** The fields of one language. */
export function textsIn(form: Page | Locator, language: string): Locator {
  const page = "page" in form ? form.page() : form;
  const chosen = page.locator(".language-select").getByText(language, { exact: true });
  return form.locator(".translations > div").filter({ has: chosen });
}

/** Scrolls to the middle of what is scrolled: at its edges the Studio has bars. */
export async function reach(element: Locator): Promise<void> {
  await element.evaluate((found) => found.scrollIntoView({ block: "center" }));
}

/** Opens the page beside the form, and waits for what only a preview has. */
export async function openPane(page: Page): Promise<FrameLocator> {
  await page.locator("button:has([data-icon=visibility])").first().click();
  const frame = page.frameLocator("iframe#frame");
  await frame.locator(".preview-bar").waitFor();
  return frame;
}

/** Clicks on what the pane's page shows, as the Studio offers it for editing; gives what opens beside it. */
export async function edit(page: Page, frame: FrameLocator, shown: Locator): Promise<Locator> {
  // The Studio's own button, drawn by our stylesheet, since the policy refuses theirs.
  const edits = frame.locator(".directus-visual-editing-edit-button");
  const button = frame.locator(
    ".directus-visual-editing-rect-hover .directus-visual-editing-edit-button",
  );
  const drawer = page.locator(".v-drawer");
  // A page that the Studio is too busy to answer within a second can't be edited: it is loaded anew.
  const clicked = async () => {
    try {
      await edits.first().waitFor({ state: "attached", timeout: A_WHILE });
      await shown.hover();
      await button.click({ timeout: A_WHILE });
      await drawer.waitFor();
      return true;
    } catch {
      await page.locator(".live-preview button:has([data-icon=refresh])").click();
      return false;
    }
  };
  await expect.poll(clicked, { timeout: 10 * A_WHILE }).toBe(true);
  return drawer;
}

/** Waits until the draft is kept and the page beside the form shows it, and not what is published. */
export async function showsTheDraft(page: Page): Promise<void> {
  await page.locator("iframe#frame[src*='version=draft']").waitFor();
}

/** Presses Publish, and says yes to what would change, where anything was there before. */
export async function publish(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Publish", exact: true }).click();
  await page.getByRole("button", { name: "Apply" }).click();
}

/** What the Studio refuses of what `press` has it do, in its words. */
export async function refused(
  page: Page,
  press: () => Promise<void>,
  name: string,
): Promise<string> {
  const slip = page.locator(".validation-error").filter({ hasText: name });
  // On a busy machine it was once not told, though it was refused: an editor would press again.
  const isTold = async () => {
    await press();
    return slip.waitFor({ timeout: A_WHILE }).then(
      () => true,
      () => false,
    );
  };
  await expect.poll(isTold, { timeout: 3 * A_WHILE }).toBe(true);
  await reach(slip);
  return slip.innerText();
}

/** All that a browser keeps of what a page is from, as one text: its storages and its caches. */
export async function keptBy(page: Page | Frame): Promise<string> {
  return page.evaluate(async () => {
    const kept = [JSON.stringify(localStorage), JSON.stringify(sessionStorage)];
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) {
        kept.push(request.url, (await (await cache.match(request))?.text()) ?? "");
      }
    }
    return kept.join("\n");
  });
}

/** The Studio has faults of its own; what the site's pages say would be ours. */
export function nothingToComplainOf(): void {
  complaints(new RegExp(`^(?!.*${new URL(BASE_URL).origin})`, "s"), 0);
}
