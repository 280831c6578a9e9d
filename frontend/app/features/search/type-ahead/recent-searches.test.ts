import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { forgetSearch, forgetSearches, recentSearches, rememberSearch } from "./recent-searches.ts";

let kept: Map<string, string>;

beforeEach(() => {
  kept = new Map();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  });
});

afterEach(() => vi.unstubAllGlobals());

const labels = () => recentSearches().map(({ label }) => label);

test("the last five are kept, the newest first and each once", () => {
  for (const town of ["Nerja", "Torrox", "Frigiliana", "Cómpeta", "Maro", "Vélez"]) {
    rememberSearch(town, `/property-for-sale?q=${town}`);
  }
  rememberSearch("frigiliana", "/es/property-for-sale/frigiliana");
  expect(labels()).toEqual(["frigiliana", "Vélez", "Maro", "Cómpeta", "Torrox"]);
  // Without its language: the page that is shown decides it.
  expect(recentSearches()[0]?.url).toBe("/property-for-sale/frigiliana");
});

test("one can be forgotten, and all of them without a trace", () => {
  rememberSearch("Nerja", "/property-for-sale/nerja");
  rememberSearch("pool", "/property-for-sale?features=pool");
  forgetSearch({ label: "Nerja", url: "/property-for-sale/nerja" });
  expect(labels()).toEqual(["pool"]);
  forgetSearches();
  expect(kept.size).toBe(0);
});

test("what others have left there is not believed", () => {
  for (const text of [
    "not json",
    '{"label":"x"}',
    '[null, 1, {"label":"x"}, {"label":"x","url":"//elsewhere.example"}, {"label":"","url":"/"}]',
    '[{"label":"x","url":"javascript:alert(1)"}]',
  ]) {
    kept.set("recent-searches", text);
    expect(recentSearches()).toEqual([]);
  }
});

test("a browser that keeps nothing has no recent searches, and no trouble", () => {
  const refuse = () => {
    throw new DOMException("denied", "SecurityError");
  };
  vi.stubGlobal("localStorage", { getItem: refuse, setItem: refuse, removeItem: refuse });
  rememberSearch("Nerja", "/property-for-sale/nerja");
  expect(recentSearches()).toEqual([]);
});
