import { expect, test } from "vitest";
import { SHOWN_EVENT } from "#app/lib/browser/shown.ts";
import { startWhenShown } from "./start-when-shown.server.ts";

const SOURCE = `import "/assets/manifest-1.js";
import * as route0 from "/assets/root-1.js";
import * as route1 from "/assets/home-1.js";

window.__reactRouterRouteModules = {"root":route0,"routes/home":route1};

import("/assets/entry.client-1.js");`;

const MARK = "0123456789abcdef";

const page = (head: string, script: string) =>
  `<html><head>${head}<link rel="stylesheet" href="/a.css"/></head><body>$&<script nonce="${MARK}" type="module" async="">${script}</script></body></html>`;

/** Runs the document's script as a browser does, and gives what it imports, in order. */
async function imported(html: string, shown: "before" | "after"): Promise<string[]> {
  const script = /<script nonce="0123456789abcdef">([\s\S]*?)<\/script>/.exec(html)?.[1] ?? "";
  const asked: string[] = [];
  const load = async (file: string) => {
    asked.push(file);
    return { file };
  };
  const listeners = new Map<string, () => void>();
  const window: { __reactRouterRouteModules?: Record<string, unknown> } = {};
  const run = new Function(
    "load",
    "window",
    "document",
    "addEventListener",
    script.replaceAll("import(", "load("),
  );
  const dataset = shown === "before" ? { shown: "" } : {};
  run(load, window, { documentElement: { dataset } }, (event: string, listener: () => void) =>
    listeners.set(event, listener),
  );
  if (shown === "after") {
    expect(asked).toEqual([]);
    listeners.get(SHOWN_EVENT)?.();
  }
  await expect.poll(() => asked.at(-1)).toBe("/assets/entry.client-1.js");
  expect(window.__reactRouterRouteModules).toEqual({
    root: { file: "/assets/root-1.js" },
    "routes/home": { file: "/assets/home-1.js" },
  });
  return asked;
}

test("scripts come when the page is shown, all at once, and the entry last", async () => {
  const html = startWhenShown(
    page(
      ["entry.client-1", "shell-1"]
        .map((name) => `<link rel="modulepreload" fetchpriority="low" href="/assets/${name}.js"/>`)
        .join(""),
      SOURCE,
    ),
    MARK,
  );
  expect(html).not.toContain("modulepreload");
  expect(html).not.toContain('type="module"');
  expect(html).toContain(
    '<link rel="stylesheet" href="/a.css"/></head><body>$&<script nonce="0123456789abcdef">',
  );
  expect(await imported(html, "after")).toEqual([
    "/assets/shell-1.js",
    "/assets/manifest-1.js",
    "/assets/root-1.js",
    "/assets/home-1.js",
    "/assets/entry.client-1.js",
  ]);
});

test("a page that was shown before it was read to its end has them at once", async () => {
  await imported(startWhenShown(page("", SOURCE), MARK), "before");
});

test("a document without the router's script stays as it is", () => {
  const html = '<link rel="modulepreload" href="/assets/a.js"/><p>Offline</p>';
  expect(startWhenShown(html, MARK)).toBe(html);
});

test("a script that only looks like the router's is left for the policy to refuse", () => {
  const injected = '<script type="module" async="">import "https://evil.example/x.js";</script>';
  const html = startWhenShown(page(injected, SOURCE), MARK);
  expect(html).toContain(injected);
  expect(html.match(/evil/g)).toHaveLength(1);
});
