import { expect, test } from "vitest";
import { EVERYTHING, parseSearch, searchPath } from "#app/lib/search/search-params.ts";
import { resolved } from "./understood.ts";

const path = (query: string, words: string, understood: [parameter: string, value: string][]) =>
  searchPath(
    resolved(parseSearch(new URLSearchParams(query)), {
      words,
      understood: understood.map(([parameter, value]) => ({ text: value, parameter, value })),
    }),
  );

test("what was understood of the words stands as filters, the rest as words", () => {
  expect(
    path("q=3+bed+villa+nerja+quiet", "quiet", [
      ["minBedrooms", "3"],
      ["kind", "villa"],
      ["location", "nerja"],
    ]),
  ).toBe("/property-for-sale/nerja?kind=villa&minBedrooms=3&q=quiet");
});

test("of what there is one of the words count, and the rest adds up", () => {
  expect(
    path("q=3+bed+penthouse+torrox&minBedrooms=2&features=garden&kind=villa&location=nerja", "", [
      ["minBedrooms", "3"],
      ["kind", "penthouse"],
      ["location", "torrox"],
    ]),
  ).toBe(
    "/property-for-sale?features=garden&kind=penthouse&kind=villa&location=nerja&location=torrox&minBedrooms=3",
  );
});

test("what the words say the opposite of is asked for no more", () => {
  expect(
    path("q=not+in+maro+with+pool&location=maro&location=nerja&excludedFeatures=pool", "", [
      ["excludedLocation", "maro"],
      ["features", "pool"],
    ]),
  ).toBe("/property-for-sale/nerja?excludedLocation=maro&features=pool");
});

test("limits that cross those of before are turned round", () => {
  expect(path("q=from+350k&maxPrice=300000", "", [["minPrice", "350000"]])).toBe(
    "/property-for-sale?maxPrice=350000&minPrice=300000",
  );
});

test("what is ruled out adds up, and what is no filter is none", () => {
  expect(
    path("q=to+rent+without+pool+not+in+maro&excludedFeatures=lift&excludedLocation=nerja", "", [
      ["rent", "true"],
      ["excludedFeatures", "pool"],
      ["excludedLocation", "maro"],
    ]),
  ).toBe(
    "/property-for-sale?excludedFeatures=lift&excludedFeatures=pool&excludedLocation=maro&excludedLocation=nerja",
  );
});

test("several values of one name are all understood", () => {
  expect(
    path("q=nerja+or+maro", "", [
      ["location", "nerja"],
      ["location", "maro"],
    ]),
  ).toBe("/property-for-sale?location=maro&location=nerja");
});

test("the order of the list and its view are kept", () => {
  expect(path("q=villa&sort=price-asc&view=map", "", [["kind", "villa"]])).toBe(
    "/property-for-sale?kind=villa&sort=price-asc&view=map",
  );
});

test("a search without words is what it is", () => {
  expect(resolved(EVERYTHING, { words: "", understood: [] })).toBe(EVERYTHING);
});
