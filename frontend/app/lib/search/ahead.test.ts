import { expect, test } from "vitest";
import { addressAhead, searchAt } from "./ahead.ts";

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

test("the page is behind the router while it loads, and until what has come is drawn", () => {
  const location = (key: string) => ({ key, pathname: "/", search: "", hash: "", state: null });
  const ahead = (at: string, to: string | undefined, drawn: string) =>
    addressAhead(
      { location: location(at), navigation: { location: to === undefined ? to : location(to) } },
      drawn,
    )?.key;
  expect(ahead("one", undefined, "one")).toBeUndefined();
  expect(ahead("one", "two", "one")).toBe("two");
  expect(ahead("two", undefined, "one")).toBe("two");
});
