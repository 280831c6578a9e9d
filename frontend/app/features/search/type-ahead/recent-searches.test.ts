import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { forgetSearch, forgetSearches, recentSearches, rememberSearch } from "./recent-searches.ts";

let stored: Map<string, string>;

beforeEach(() => {
  stored = new Map();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  });
});

afterEach(() => vi.unstubAllGlobals());

const labels = () => recentSearches().map(({ label }) => label);

test("the last five searches are stored, the newest first and each once", () => {
  for (const town of ["Nerja", "Torrox", "Frigiliana", "Cómpeta", "Maro", "Vélez"]) {
    rememberSearch(town, `/property-for-sale?q=${town}`);
  }
  rememberSearch("frigiliana", "/es/property-for-sale/frigiliana");
  expect(labels()).toEqual(["frigiliana", "Vélez", "Maro", "Cómpeta", "Torrox"]);
  // The stored address has no language: the page that is shown decides it.
  expect(recentSearches()[0]?.url).toBe("/property-for-sale/frigiliana");
});

test("one search can be removed, and removing all leaves nothing stored", () => {
  rememberSearch("Nerja", "/property-for-sale/nerja");
  rememberSearch("pool", "/property-for-sale?features=pool");
  forgetSearch({ label: "Nerja", url: "/property-for-sale/nerja" });
  expect(labels()).toEqual(["pool"]);
  forgetSearches();
  expect(stored.size).toBe(0);
});

test("an invalid stored value is ignored", () => {
  for (const text of [
    "not json",
    '{"label":"x"}',
    '[null, 1, {"label":"x"}, {"label":"x","url":"//elsewhere.example"}, {"label":"","url":"/"}]',
    '[{"label":"x","url":"javascript:alert(1)"}]',
  ]) {
    stored.set("recent-searches", text);
    expect(recentSearches()).toEqual([]);
  }
});

test("a browser without storage has no recent searches, and nothing fails", () => {
  const refuse = () => {
    throw new DOMException("denied", "SecurityError");
  };
  vi.stubGlobal("localStorage", { getItem: refuse, setItem: refuse, removeItem: refuse });
  rememberSearch("Nerja", "/property-for-sale/nerja");
  expect(recentSearches()).toEqual([]);
});
