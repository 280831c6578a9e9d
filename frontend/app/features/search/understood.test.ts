import { expect, test } from "vitest";
import { EVERYTHING, parseSearch, searchPath } from "#app/lib/search/search-params.ts";
import { withUnderstoodFilters } from "./understood.ts";

const path = (query: string, words: string, understood: [parameter: string, value: string][]) =>
  searchPath(
    withUnderstoodFilters(parseSearch(new URLSearchParams(query)), {
      words,
      understood: understood.map(([parameter, value]) => ({ text: value, parameter, value })),
    }),
  );

test("the understood text becomes filters, and the rest stays text", () => {
  expect(
    path("q=3+bed+villa+nerja+quiet", "quiet", [
      ["minBedrooms", "3"],
      ["kind", "villa"],
      ["location", "nerja"],
    ]),
  ).toBe("/property-for-sale/nerja?kind=villa&minBedrooms=3&q=quiet");
});

test("the text replaces single values and is added to lists", () => {
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

test("the text removes a filter that it contradicts", () => {
  expect(
    path("q=not+in+maro+with+pool&location=maro&location=nerja&withoutFeatures=pool", "", [
      ["notLocation", "maro"],
      ["features", "pool"],
    ]),
  ).toBe("/property-for-sale/nerja?features=pool&notLocation=maro");
});

test("a limit that crosses the other one is swapped with it", () => {
  expect(path("q=from+350k&maxPrice=300000", "", [["minPrice", "350000"]])).toBe(
    "/property-for-sale?maxPrice=350000&minPrice=300000",
  );
});

test("exclusions are added, and what is no filter is ignored", () => {
  expect(
    path("q=to+rent+without+pool+not+in+maro&withoutFeatures=lift&notLocation=nerja", "", [
      ["rent", "true"],
      ["withoutFeatures", "pool"],
      ["notLocation", "maro"],
    ]),
  ).toBe(
    "/property-for-sale?notLocation=maro&notLocation=nerja&withoutFeatures=lift&withoutFeatures=pool",
  );
});

test("several values of one parameter are all applied", () => {
  expect(
    path("q=nerja+or+maro", "", [
      ["location", "nerja"],
      ["location", "maro"],
    ]),
  ).toBe("/property-for-sale?location=maro&location=nerja");
});

test("the order and the view stay", () => {
  expect(path("q=villa&sort=price-asc&view=map", "", [["kind", "villa"]])).toBe(
    "/property-for-sale?kind=villa&sort=price-asc&view=map",
  );
});

test("a search without text stays unchanged", () => {
  expect(withUnderstoodFilters(EVERYTHING, { words: "", understood: [] })).toBe(EVERYTHING);
});
