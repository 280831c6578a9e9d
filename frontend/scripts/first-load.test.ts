import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type BuildManifest, firstLoad, readManifest, transferSize } from "./first-load.ts";

const manifest: BuildManifest = {
  version: "1",
  entry: { module: "/entry.js", imports: ["/shell.js"] },
  routes: {
    root: { module: "/root.js", imports: ["/shell.js"], css: ["/root.css#"] },
    home: {
      module: "/home.js",
      imports: ["/card.js", "/shell.js"],
      css: ["/root.css"],
      clientLoaderModule: "/home-loader.js",
    },
    other: { module: "/other.js", imports: [], css: ["/other.css"] },
  },
};

test("a page loads its routes with their imports, each file once, and no other page's", () => {
  const { scripts, styles } = firstLoad(manifest, ["root", "home"]);
  expect(scripts.toSorted()).toEqual([
    "/card.js",
    "/entry.js",
    "/home-loader.js",
    "/home.js",
    "/root.js",
    "/shell.js",
  ]);
  expect(styles).toEqual(["/root.css"]);
});

test("a route that the build does not have is an error", () => {
  expect(() => firstLoad(manifest, ["root", "gone"])).toThrow("no route gone");
});

test("the manifest is read from the build, and one in another form is an error", () => {
  const client = mkdtempSync(join(tmpdir(), "almijara-build-"));
  onTestFinished(() => rmSync(client, { recursive: true }));
  mkdirSync(join(client, "assets"));
  const write = (script: string) => writeFileSync(join(client, "assets/manifest-1a.js"), script);
  write(`window.__reactRouterManifest=${JSON.stringify(manifest)};`);
  expect(readManifest(client)).toEqual({ manifest, address: "/assets/manifest-1a.js" });
  write(`export default ${JSON.stringify(manifest)};`);
  expect(() => readManifest(client)).toThrow("the router changed its manifest");
});

test("text is measured compressed, a font as it is", () => {
  const text = Buffer.from("const word = 1;\n".repeat(1_000));
  expect(transferSize("/a.js", text)).toBeLessThan(200);
  const font = randomBytes(5_000);
  expect(transferSize("/a.woff2", font)).toBe(5_000);
});
