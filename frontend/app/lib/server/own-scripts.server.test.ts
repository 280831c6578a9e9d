import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { newMark, ownScripts } from "./own-scripts.server.ts";

const hashOf = (source: string) => createHash("sha256").update(source).digest("base64");

test("only scripts that carry the render's mark are hashed, and the mark is removed from the document", () => {
  const mark = newMark();
  const { html, hashes } = ownScripts(
    [
      `<script nonce="${mark}">ours()</script>`,
      `<script type="module" nonce="${mark}" async="">import "/a.js";</script>`,
      `<script nonce="${mark}" src="/a.js"></script>`,
      `<link rel="modulepreload" nonce="${mark}" href="/a.js"/>`,
      '<script type="application/ld+json">{}</script>',
      "<main><script>theirs()</script>",
      `<script nonce="${newMark()}">theirs(1)</script><script nonce="">theirs(2)</script></main>`,
    ].join(""),
    mark,
  );
  expect(hashes).toEqual([hashOf("ours()"), hashOf('import "/a.js";')]);
  expect(html).not.toContain(mark);
  expect(html).toContain("<script>ours()</script>");
  expect(html).toContain('<script type="module" async="">import "/a.js";</script>');
  expect(html).toContain('<link rel="modulepreload" href="/a.js"/>');
});

test("a script is hashed by the bytes that are sent", () => {
  const mark = newMark();
  const bytes = Buffer.from(`<script nonce="${mark}">say("Málaga · 5 €")</script>`);
  expect(ownScripts(bytes.toString("latin1"), mark).hashes).toEqual([
    hashOf('say("Málaga · 5 €")'),
  ]);
});

test("each render has a mark of its own", () => {
  expect(newMark()).not.toBe(newMark());
  expect(newMark()).toMatch(/^[0-9a-f]{32}$/);
});
