import { expect, test } from "vitest";
import { parseSearch } from "#app/lib/search/search-params.ts";
import { canonicalPath, describedPlace, isPlacePage, placePages } from "./place-pages.ts";

const read = (address: string) => {
  const url = new URL(address, "http://site");
  return parseSearch(url.searchParams, url.pathname.split("/")[2]);
};
const canonical = (address: string, total = 7) => canonicalPath(read(address), total);

test.each([
  "/property-for-sale",
  "/property-for-sale?page=2",
  "/property-for-sale/nerja",
  "/property-for-sale/nerja?propertyType=House",
  "/property-for-sale/nerja?kind=villa",
  "/property-for-sale/nerja?kind=villa&page=2",
])("%s is its own canonical address", (address) => {
  expect(canonical(address)).toBe(address);
});

test.each([
  ["/property-for-sale?propertyType=House", "/property-for-sale"],
  ["/property-for-sale?location=maro&location=nerja", "/property-for-sale"],
  ["/property-for-sale/nerja?sort=oldest&view=map", "/property-for-sale/nerja"],
  [
    "/property-for-sale/nerja?kind=villa&sort=oldest&view=map",
    "/property-for-sale/nerja?kind=villa",
  ],
  ["/property-for-sale/nerja?kind=villa&propertyType=House", "/property-for-sale/nerja"],
  ["/property-for-sale/nerja?kind=villa&kind=duplex", "/property-for-sale/nerja"],
  ["/property-for-sale/nerja?kind=villa&features=pool", "/property-for-sale/nerja"],
  ["/property-for-sale/nerja?q=quiet&page=2", "/property-for-sale/nerja"],
])("%s has the canonical address %s", (address, canonicalPath) => {
  expect(canonical(address)).toBe(canonicalPath);
});

test("a type without homes in a place has the place's canonical address", () => {
  expect(canonical("/property-for-sale/maro?kind=bar", 0)).toBe("/property-for-sale/maro");
});

test("the pages of a place have at least one home, and each counts as a place page", () => {
  const pages = placePages("nerja", {
    propertyType: { House: 7, Apartment: 0 },
    kind: { villa: 3 },
  });
  expect(pages.map(({ path, count }) => [path, count])).toEqual([
    ["/property-for-sale/nerja?propertyType=House", 7],
    ["/property-for-sale/nerja?kind=villa", 3],
  ]);
  expect(pages.every(({ path }) => isPlacePage(read(path)))).toBe(true);
});

test("a place is described on the first page of all its homes, in any order", () => {
  expect(describedPlace(read("/property-for-sale/nerja"))).toBe("nerja");
  expect(describedPlace(read("/property-for-sale/nerja?sort=oldest"))).toBe("nerja");
  for (const path of [
    "/property-for-sale",
    "/property-for-sale?location=nerja&location=maro",
    "/property-for-sale/nerja?page=2",
    "/property-for-sale/nerja?view=map",
    "/property-for-sale/nerja?minPrice=200000",
  ]) {
    expect(describedPlace(read(path)), path).toBeUndefined();
  }
});
