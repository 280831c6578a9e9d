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
  // What is chosen stays; the words were only the way here.
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
  // Of what there is one of, the suggestion's counts.
  [
    "maxPrice=300000",
    "/property-for-sale?q=villa&maxPrice=400000",
    "/property-for-sale?maxPrice=400000&q=villa",
  ],
])("%s with %s leads to %s", (form, url, expected) => {
  expect(addToSearch(new URLSearchParams(form), url)).toBe(expected);
});

test("a home's own page is no search", () => {
  expect(addToSearch(new URLSearchParams("q=AH"), "/property-for-sale/nerja/AH-1001")).toBe(
    undefined,
  );
  expect(addToSearch(new URLSearchParams(), "/news/x")).toBe(undefined);
});
