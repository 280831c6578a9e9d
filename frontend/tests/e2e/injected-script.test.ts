import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { ask, expectFaults, open, visitor } from "./site.ts";

/** A page with an unsanitised script in its editors' HTML, if the stack has prepared one. */
const path = process.env.INJECTED_PAGE;

const INJECTED = /<script>(document\.documentElement\.dataset\.injected="[^<]*)<\/script>/;

test.runIf(path)(
  "a script that the application did not write is refused by the browser",
  async () => {
    const answer = await ask(path ?? "");
    const [, source = ""] = INJECTED.exec(await answer.text()) ?? [];
    expect(source).not.toBe("");
    const policy = answer.headers.get("content-security-policy") ?? "";
    expect(policy).toMatch(/script-src 'self'( 'sha256-[^']+')+;/);
    expect(policy).not.toContain(createHash("sha256").update(source).digest("base64"));

    const page = await visitor();
    await open(page, path ?? "");
    expect(await page.evaluate(() => document.documentElement.dataset.injected)).toBeUndefined();
    expectFaults(/Content Security Policy|^policy: /);
  },
);
