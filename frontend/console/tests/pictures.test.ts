import { mkdirSync } from "node:fs";
import { test } from "vitest";
import { expectFaults, open, takesKeys } from "../../tests/e2e/site.ts";
import { PARTS, part, server, signedIn } from "./operator.ts";

/** The folder for screenshots of every page, for people to look at. None are taken without it. */
const PICTURES = process.env.CONSOLE_PICTURES;

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
    if (path === "/sign-in") server.signOutAll();
    await open(page, path);
    await page.locator("h1").waitFor();
    await page.locator("main [aria-hidden=true].bg-sunk").first().waitFor({ state: "detached" });
    await taken(path === "/" ? "flow" : path.slice(1), true);
  }
  expectFaults(/status of 401|ERR_INCOMPLETE_CHUNKED_ENCODING/);
});
