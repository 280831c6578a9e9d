import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { BrowserContextOptions, Frame, FrameLocator, Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { BASE_URL, expectFaults, visitor } from "./site.ts";

/**
 * Helpers for the Studio of a real Directus. `almijara/tests/system/editors_day` starts it, and names the
 * step of the day to run.
 */
export const STUDIO = process.env.STUDIO_URL ?? "";
export const STEP = process.env.EDITOR_STEP;
/** The paths of the written home, in the Studio and on the site. */
export const ITEM = process.env.EDITOR_ITEM ?? "";
export const PAGE = process.env.EDITOR_PAGE ?? "";
/** A unique word that the editor drafts and never publishes, and one that they publish. */
export const DRAFTED = process.env.EDITOR_DRAFTED ?? "";
export const PUBLISHED = process.env.EDITOR_PUBLISHED ?? "";
const ACCOUNT = {
  email: process.env.EDITOR_EMAIL ?? "",
  password: process.env.EDITOR_PASSWORD ?? "",
};

/** The default timeout in milliseconds: the Studio is slow on a small machine. */
const TIMEOUT_MS = 90_000;
/** The timeout of one of several tries, in milliseconds. */
const TRY_TIMEOUT_MS = 30_000;

/** Takes a screenshot. */
export async function shot(page: Page, name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS;
  if (folder) await writeFile(join(folder, `${name}.png`), await page.screenshot());
}

/**
 * Opens a page wide enough for a form with its preview. It uses reduced motion: the animated picture behind
 * the Studio's sign-in takes a small machine a minute.
 */
export async function studio(options: BrowserContextOptions = {}): Promise<Page> {
  const viewport = { width: 1600, height: 1000 };
  const page = await visitor({ viewport, reducedMotion: "reduce", ...options });
  page.setDefaultTimeout(TIMEOUT_MS);
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

/** Opens a page of a signed-in editor. */
export async function editor(options: BrowserContextOptions = {}): Promise<Page> {
  const page = await studio(options);
  // By the API, since the form has its own step.
  const signedIn = await page.context().request.post(`${STUDIO}/auth/login`, {
    data: { ...ACCOUNT, mode: "session" },
  });
  expect(signedIn.status()).toBe(200);
  return page;
}

/** Returns a form's field by its label; of nested ones the innermost. */
export function field(form: Page | Locator, name: string): Locator {
  const page = "page" in form ? form.page() : form;
  const label = page.locator(".field-label").getByText(name, { exact: true });
  return form.locator(".field").filter({ has: label }).last();
}

/** The input of a field, for numbers or text. */
const input = (form: Page | Locator, name: string) =>
  field(form, name).getByRole("spinbutton").or(field(form, name).getByRole("textbox"));

/** Fills in a field. */
export async function write(form: Page | Locator, name: string, text: string): Promise<void> {
  await input(form, name).fill(text);
}

/** Fills in fields, and repeats those that a busy Studio has lost, as an editor would. */
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
  await expect.poll(left, { timeout: 3 * TRY_TIMEOUT_MS }).toEqual([]);
}

/**
 * Waits until no dialog covers the form, and reports the text of one that stays. On a busy machine a finished
 * dialog once stayed: an editor would close it.
 */
export async function nothingOver(page: Page): Promise<void> {
  const dialogs = page.locator("#dialog-outlet .overlay").filter({ visible: true });
  const gone = async () => {
    await dialogs
      .first()
      .waitFor({ state: "hidden", timeout: TRY_TIMEOUT_MS })
      .catch(() => undefined);
    if ((await dialogs.count()) > 0) await page.keyboard.press("Escape");
    return (await dialogs.count()) > 0 ? page.locator("#dialog-outlet").innerText() : "";
  };
  await expect.poll(gone, { timeout: 3 * TRY_TIMEOUT_MS }).toBe("");
}

/**
 * Chooses from the lists of fields by keyboard, since a group may still open or close under the mouse. A busy
 * Studio may close a list without a choice, lose a choice when the next one is made, or ask whether to
 * leave the page by itself: an editor would see that, stay, and choose again.
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
      await choice.click({ timeout: TRY_TIMEOUT_MS }).catch(() => undefined);
    }
    return missing();
  };
  await expect.poll(left, { timeout: 3 * TRY_TIMEOUT_MS }).toEqual([]);
}

/** Returns the fields of a language. */
export function textsIn(form: Page | Locator, language: string): Locator {
  const page = "page" in form ? form.page() : form;
  const chosen = page.locator(".language-select").getByText(language, { exact: true });
  return form.locator(".translations > div").filter({ has: chosen });
}

/** Scrolls an element to the middle, since the Studio has bars at the edges. */
export async function reach(element: Locator): Promise<void> {
  await element.evaluate((found) => found.scrollIntoView({ block: "center" }));
}

/** Opens the preview beside the form, and waits for its bar. */
export async function openPane(page: Page): Promise<FrameLocator> {
  await page.locator("button:has([data-icon=visibility])").first().click();
  const frame = page.frameLocator("iframe#frame");
  await frame.locator(".preview-bar").waitFor();
  return frame;
}

/** Clicks on an editable element of the preview; returns the drawer that opens. */
export async function edit(page: Page, frame: FrameLocator, shown: Locator): Promise<Locator> {
  // The Studio's button, styled by our stylesheet, since the policy refuses theirs.
  const edits = frame.locator(".directus-visual-editing-edit-button");
  const button = frame.locator(
    ".directus-visual-editing-rect-hover .directus-visual-editing-edit-button",
  );
  const drawer = page.locator(".v-drawer");
  // If a busy Studio does not answer the page within a second, the page can't be edited and is reloaded.
  const clicked = async () => {
    try {
      await edits.first().waitFor({ state: "attached", timeout: TRY_TIMEOUT_MS });
      await shown.hover();
      await button.click({ timeout: TRY_TIMEOUT_MS });
      await drawer.waitFor();
      return true;
    } catch {
      await page.locator(".live-preview button:has([data-icon=refresh])").click();
      return false;
    }
  };
  await expect.poll(clicked, { timeout: 10 * TRY_TIMEOUT_MS }).toBe(true);
  return drawer;
}

/** Waits until the draft is saved and the preview shows it instead of the published version. */
export async function waitForDraft(page: Page): Promise<void> {
  await page.locator("iframe#frame[src*='version=draft']").waitFor();
}

/** Presses Publish, and confirms the changes if there is an earlier version. */
export async function publish(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Publish", exact: true }).click();
  await page.getByRole("button", { name: "Apply" }).click();
}

/** Returns the Studio's validation error for a field after `press`. */
export async function refused(
  page: Page,
  press: () => Promise<void>,
  name: string,
): Promise<string> {
  const error = page.locator(".validation-error").filter({ hasText: name });
  // On a busy machine the error was once not shown: an editor would press again.
  const isTold = async () => {
    await press();
    return error.waitFor({ timeout: TRY_TIMEOUT_MS }).then(
      () => true,
      () => false,
    );
  };
  await expect.poll(isTold, { timeout: 3 * TRY_TIMEOUT_MS }).toBe(true);
  await reach(error);
  return error.innerText();
}

/** Returns all that a browser stores for a page's origin, as one text: its storages and its caches. */
export async function storageOf(page: Page | Frame): Promise<string> {
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

/** Ignores faults of the Studio; those of the site's pages still fail the test. */
export function ignoreStudioFaults(): void {
  expectFaults(new RegExp(`^(?!.*${new URL(BASE_URL).origin})`, "s"), 0);
}
