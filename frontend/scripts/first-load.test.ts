import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { type BuildManifest, firstLoad, transferSize } from "./first-load.ts";

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

test("text is measured compressed, a font as it is", () => {
  const text = Buffer.from("const word = 1;\n".repeat(1_000));
  expect(transferSize("/a.js", text)).toBeLessThan(200);
  const font = randomBytes(5_000);
  expect(transferSize("/a.woff2", font)).toBe(5_000);
});
