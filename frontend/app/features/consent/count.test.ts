import { afterEach, expect, test, vi } from "vitest";
import { count } from "./count.ts";

afterEach(() => vi.unstubAllGlobals());

const SITE = "https://almijara.example";
const HOME = `${SITE}/`;

/** Returns how many scripts a page at `href` loads if its document started at `loaded` and came from `referrer`. */
function scriptsLoaded({ href = HOME, loaded = HOME, referrer = "" }): number {
  const append = vi.fn();
  vi.stubGlobal("location", { href, origin: SITE });
  vi.stubGlobal("performance", { getEntriesByType: () => [{ name: loaded }] });
  vi.stubGlobal("document", {
    referrer,
    head: { append },
    getElementById: () => null,
    createElement: () => ({ dataset: {} }),
  });
  count({ src: "https://counter.example/beacon.js", token: "a-token" });
  return append.mock.calls.length;
}

test("a public page is counted, also if the visitor comes from another site", () => {
  expect(scriptsLoaded({})).toBe(1);
  expect(scriptsLoaded({ referrer: `${SITE}/es/news` })).toBe(1);
  expect(scriptsLoaded({ referrer: "https://elsewhere.example/login" })).toBe(1);
});

test("nothing is counted if the page, the document's first address or the referrer is private", () => {
  const privateAddress = `${SITE}/es/alerts?token=x`;
  expect(scriptsLoaded({ href: privateAddress })).toBe(0);
  expect(scriptsLoaded({ loaded: privateAddress })).toBe(0);
  expect(scriptsLoaded({ referrer: privateAddress })).toBe(0);
});
