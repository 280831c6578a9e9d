import { expect, test } from "vitest";
import { parseSearch } from "#app/lib/search/search-params.ts";
import { exactMatch } from "./reference.ts";

const HOMES = [{ ref: "AH-1041" }, { ref: "AH-1042" }];

/** Returns the home that `query` asks for, if the API understood these parts and left these words. */
function asked(query: string, words?: string, understood: readonly unknown[] = []) {
  const search = parseSearch(new URLSearchParams(query));
  return exactMatch(search, { items: HOMES, words: words ?? search.q, understood })?.ref;
}

test.each(["AH-1042", "ah-1042", "AH1042", "ah 1042"])(
  "%s finds the home with that reference",
  (q) => {
    expect(asked(`q=${q}`)).toBe("AH-1042");
  },
);

test("the address of a home's page finds the home", () => {
  const address = "q=https://almijara.example/property-for-sale/nerja/AH-1042";
  expect(asked(address, "AH-1042")).toBe("AH-1042");
  expect(asked(address, "AH-1042", [{ parameter: "location" }])).toBeUndefined();
});

test("a part of a reference, an unknown reference, and a reference with other words show the list", () => {
  expect(asked("q=AH-104")).toBeUndefined();
  expect(asked("q=AH-2000")).toBeUndefined();
  expect(asked("q=AH-1042+nerja")).toBeUndefined();
  expect(asked("")).toBeUndefined();
});

test("a reference with a filter, a further page or the map shows the list", () => {
  expect(asked("q=AH-1042&maxPrice=200000")).toBeUndefined();
  expect(asked("q=AH-1042&view=map")).toBeUndefined();
  expect(asked("q=AH-1042&page=2")).toBeUndefined();
  expect(asked("q=AH-1042&sort=price-asc")).toBe("AH-1042");
});
