import { expect, test } from "vitest";
import { addToSearch } from "./add-to-search.ts";

test.each([
  ["", "/property-for-sale/nerja", "/property-for-sale/nerja"],
  ["", "/es/property-for-sale/nerja", "/property-for-sale/nerja"],
  [
    "maxPrice=300000",
    "/property-for-sale/San_Pedro",
    "/property-for-sale/San_Pedro?maxPrice=300000",
  ],
  // The chosen filters stay, the typed text and the page are dropped.
  [
    "q=ner&maxPrice=300000&page=3",
    "/property-for-sale/nerja",
    "/property-for-sale/nerja?maxPrice=300000",
  ],
  [
    "location=torrox",
    "/property-for-sale/nerja",
    "/property-for-sale?location=nerja&location=torrox",
  ],
  [
    "features=lift",
    "/property-for-sale?features=pool",
    "/property-for-sale?features=lift&features=pool",
  ],
  // A parameter with a single value takes the suggestion's.
  [
    "maxPrice=300000",
    "/property-for-sale?q=villa&maxPrice=400000",
    "/property-for-sale?maxPrice=400000&q=villa",
  ],
])("%j with the suggestion %s leads to %s", (form, url, expected) => {
  expect(addToSearch(new URLSearchParams(form), url)).toBe(expected);
});

test("the page of a home is no search", () => {
  expect(addToSearch(new URLSearchParams("q=AH"), "/property-for-sale/nerja/AH-1001")).toBe(
    undefined,
  );
  expect(addToSearch(new URLSearchParams(), "/news/x")).toBe(undefined);
});
