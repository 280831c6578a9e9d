import { expect, test } from "vitest";
import { searchAt } from "./use-map-search.ts";

test("what is under way is a list's search in either language, and no other page's", () => {
  const at = (pathname: string, search = "") => searchAt({ pathname, search });
  expect(at("/es/property-for-sale/nerja", "?minBedrooms=2&view=map")).toMatchObject({
    location: ["nerja"],
    minBedrooms: 2,
    view: "map",
  });
  expect(at("/property-for-sale")).toMatchObject({ location: [], view: "list" });
  expect(at("/property-for-sale/nerja/AH-1")).toBeUndefined();
  expect(at("/save-search", "?view=map")).toBeUndefined();
});
