import { expect, test } from "vitest";
import { parseAddress, pendingLocation } from "./pending-location.ts";

test("a list's address is parsed in either language, and other pages have no search", () => {
  const at = (pathname: string, search = "") => parseAddress({ pathname, search });
  expect(at("/es/property-for-sale/nerja", "?minBedrooms=2&view=map")).toMatchObject({
    location: ["nerja"],
    minBedrooms: 2,
    view: "map",
  });
  expect(at("/property-for-sale")).toMatchObject({ location: [], view: "list" });
  expect(at("/property-for-sale/nerja/AH-1")).toBeUndefined();
  expect(at("/save-search", "?view=map")).toBeUndefined();
});

test("the router is ahead of the page while it loads, and until it is rendered", () => {
  const location = (key: string) => ({ key, pathname: "/", search: "", hash: "", state: null });
  const ahead = (at: string, to: string | undefined, drawn: string) =>
    pendingLocation(
      { location: location(at), navigation: { location: to === undefined ? to : location(to) } },
      drawn,
    )?.key;
  expect(ahead("one", undefined, "one")).toBeUndefined();
  expect(ahead("one", "two", "one")).toBe("two");
  expect(ahead("two", undefined, "one")).toBe("two");
});
