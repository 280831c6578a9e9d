import { writeFile } from "node:fs/promises";
import type { BrowserContextOptions, Page } from "playwright-core";
import { expect } from "vitest";
import { visitor } from "./site.ts";

/** The Studio of a real Directus, where a system test has started one. */
export const STUDIO = process.env.STUDIO_URL ?? "";

/** A moment of the journey, where somebody wants to look at it. */
export async function shot(page: Page, name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS;
  if (folder) await writeFile(`${folder}/${name}.png`, await page.screenshot());
}

/** An editor who is signed in to the Studio. */
export async function editor(options: BrowserContextOptions = {}): Promise<Page> {
  const page = await visitor({ viewport: { width: 1600, height: 1000 }, ...options });
  // Its program is seven megabytes, which a busy machine takes a while over.
  page.setDefaultTimeout(90_000);
  // Not by its form, behind which the Studio draws a moving picture: that takes a small machine a minute.
  const signedIn = await page.context().request.post(`${STUDIO}/auth/login`, {
    data: {
      email: process.env.EDITOR_EMAIL,
      password: process.env.EDITOR_PASSWORD,
      mode: "session",
    },
  });
  expect(signedIn.status()).toBe(200);
  return page;
}
