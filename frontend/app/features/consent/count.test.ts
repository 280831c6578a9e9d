import { afterEach, expect, test, vi } from "vitest";
import { count } from "./count.ts";

afterEach(() => vi.unstubAllGlobals());

const SITE = "https://almijara.example";
const HOME = `${SITE}/`;

/** How many scripts a page at `href` loads, whose document began at `loaded` and was come to from `referrer`. */
function counted({ href = HOME, loaded = HOME, referrer = "" }): number {
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

test("a page of everybody's is counted, wherever else its visitor comes from", () => {
  expect(counted({})).toBe(1);
  expect(counted({ referrer: `${SITE}/es/news` })).toBe(1);
  expect(counted({ referrer: "https://elsewhere.example/login" })).toBe(1);
});

test("nothing is counted where the page, its document's beginning or what led to it is one visitor's", () => {
  const own = `${SITE}/es/alerts?token=x`;
  expect(counted({ href: own })).toBe(0);
  expect(counted({ loaded: own })).toBe(0);
  expect(counted({ referrer: own })).toBe(0);
});
