import { describe, expect, test } from "vitest";
import {
  apiSearch,
  canonicalRedirect,
  EVERYTHING,
  isNarrowed,
  pagesOf,
  parseSearch,
  type Search,
  searchPath,
} from "./search-params.ts";

function read(address: string, place?: string): Search {
  return parseSearch(new URL(address, "http://site").searchParams, place);
}

/** Returns where the server would redirect `address`, as its loader decides it. */
function led(address: string): string | undefined {
  const url = new URL(address, "http://site");
  const place = url.pathname.split("/")[2];
  return canonicalRedirect(url, url.pathname, parseSearch(url.searchParams, place));
}

describe("a search in an address", () => {
  test("is parsed to what it was built from", () => {
    const search: Search = {
      q: "sea view",
      location: ["maro", "nerja"],
      notLocation: ["torrox-costa"],
      propertyType: ["Apartment", "House"],
      kind: ["penthouse", "villa"],
      energy: ["A", "C"],
      status: ["for_sale", "under_offer"],
      features: ["lift", "private-pool"],
      withoutFeatures: ["furnished"],
      minPrice: 100_000,
      maxPrice: 400_000,
      minBedrooms: 2,
      maxBedrooms: 4,
      minBathrooms: 1,
      minBuilt: 80,
      maxBuilt: 300,
      minPlot: 500,
      maxPlot: 20_000,
      newWithin: 30,
      reduced: true,
      featured: true,
      newBuild: true,
      bbox: "-4.1,36.7,-3.8,36.85",
      area: "-4.1,36.7;-3.8,36.7;-3.9,36.9",
      sort: "price-asc",
      page: 3,
      view: "map",
    };
    expect(read(searchPath(search))).toEqual(search);
  });

  test.each([0, 1, 24, 25, 9_600, 9_601, 100_000])("reads back every page of %i homes", (total) => {
    const pages = pagesOf(total, 24);
    for (let page = 1; page <= pages; page += 1) {
      expect(read(searchPath({ ...EVERYTHING, page })).page).toBe(page);
    }
    expect(pages * 24 >= total || pages === 400).toBe(true);
  });

  test("sorts its parameters alphabetically, like the cache in front", () => {
    const path = searchPath(
      read(
        "/x?sort=oldest&propertyType=House&propertyType=Apartment&maxPrice=5&features=b&features=a",
      ),
    );
    const pairs = (path.split("?")[1] ?? "").split("&");
    expect(pairs).toEqual([...pairs].sort());
  });

  test("has its single place in the path, several in the query", () => {
    expect(searchPath(read("/x?location=nerja"))).toBe("/property-for-sale/nerja");
    expect(searchPath(read("/x?location=nerja&location=maro"))).toBe(
      "/property-for-sale?location=maro&location=nerja",
    );
  });

  test.each([
    ["maxPrice=lots", { maxPrice: undefined }],
    ["maxPrice=-5", { maxPrice: undefined }],
    ["maxPrice=1.500.000+%E2%82%AC", { maxPrice: 1_500_000 }],
    ["maxPrice=350,000", { maxPrice: 350_000 }],
    ["minBuilt=87,5", { minBuilt: 88 }],
    ["minPlot=120+m%C2%B2", { minPlot: 120 }],
    ["minPrice=250.000,00", { minPrice: 250_000 }],
    ["maxPrice=1e9", { maxPrice: undefined }],
    ["minBedrooms=0", { minBedrooms: undefined }],
    ["propertyType=Castle", { propertyType: [] }],
    ["location=..%2Fetc", { location: [] }],
    ["location=m%C3%A1laga", { location: [] }],
    ["features=Pool%20table", { features: [] }],
    ["sort=best", { sort: "newest" }],
    ["page=0", { page: 1 }],
    ["page=99999999", { page: 1 }],
    ["minBedrooms=51", { minBedrooms: undefined }],
    ["sort=relevance", { sort: "newest" }],
    ["q=sea", { sort: "relevance" }],
    ["reduced=yes", { reduced: false }],
    ["q=%20%20a%20%20b%20", { q: "a b" }],
    ["kind=castle&kind=villa", { kind: ["villa"] }],
    ["energy=H&energy=a", { energy: [] }],
    ["newWithin=366", { newWithin: undefined }],
    ["view=globe", { view: "list" }],
    ["minBedrooms=4&maxBedrooms=2", { minBedrooms: 2, maxBedrooms: 4 }],
    ["maxBedrooms=51", { maxBedrooms: undefined }],
    ["withoutFeatures=Pool%20table&notLocation=a%2Fb", { withoutFeatures: [], notLocation: [] }],
    ["newBuild=1", { newBuild: false }],
    ["minPrice=400000&maxPrice=300000", { minPrice: 300_000, maxPrice: 400_000 }],
    ["bbox=-4,36.7,-3.8", { bbox: undefined }],
    ["bbox=-3.8,36.7,-4,36.8", { bbox: undefined }],
    ["bbox=-4,36.7,-3.8,91", { bbox: undefined }],
    ["area=-4,36.7;-3.8,36.7", { area: undefined }],
    ["area=-4,36.7;-3.8,36.7;north", { area: undefined }],
    ["area=-4,36.7;-3.8,36.7;181,36.9", { area: undefined }],
  ])("ignores invalid values: %s", (query, expected) => {
    expect(read(`/x?${query}`)).toMatchObject(expected);
  });
});

test("a feature that editors have named with an accent can be searched for", () => {
  const found = read("/x?features=baño-turco&withoutFeatures=ascensor-2º");
  expect(found.features).toEqual(["baño-turco"]);
  expect(found.withoutFeatures).toEqual(["ascensor-2º"]);
});

describe("a non-canonical address", () => {
  test.each([
    ["/property-for-sale?location=nerja&propertyType=&maxPrice=", "/property-for-sale/nerja"],
    ["/property-for-sale?page=1&sort=newest", "/property-for-sale"],
    ["/property-for-sale/nerja?location=maro", "/property-for-sale/nerja"],
    ["/property-for-sale?reduced=false", "/property-for-sale"],
    ["/property-for-sale?view=list", "/property-for-sale"],
    [
      "/property-for-sale?bbox=-4.000049,36.7,-3.80,36.8",
      "/property-for-sale?bbox=-4%2C36.7%2C-3.8%2C36.8",
    ],
    [
      "/property-for-sale?area=-0,1;-0.0,1;2,3;4,5;0,1",
      "/property-for-sale?area=0%2C1%3B2%2C3%3B4%2C5",
    ],
  ])("%s redirects to %s", (address, tidy) => {
    expect(led(address)).toBe(tidy);
  });

  test.each([
    "/property-for-sale",
    "/property-for-sale/nerja?maxPrice=300000&propertyType=House",
    "/property-for-sale?utm_source=letter&reduced=true",
    "/property-for-sale?q=a&sort=oldest",
    "/property-for-sale?q=a&sort=newest",
    "/property-for-sale?q=caf%C3%A9+%26+sol",
    "/property-for-sale?features=ba%C3%B1o-turco",
    "/property-for-sale/nerja?kind=villa&view=map",
    "/property-for-sale?bbox=-4.1%2C36.7%2C-3.8%2C36.85",
  ])("%s stays", (address) => {
    expect(led(address)).toBeUndefined();
  });

  test("is redirected only once", () => {
    for (const query of [
      "location=nerja&location=nerja&q=+x",
      "features=a&features=a&features=B&page=00",
      "maxPrice=007&sort=relevance",
      "q=%F0%9F%8F%A0&propertyType=House&propertyType=Apartment",
      "area=1,1;1,1;2,2;1,1;3,3;1,1",
      "bbox=+-4.00004,+36.7,-3.8,36.80004",
      "minBuilt=300&maxBuilt=80",
    ]) {
      const first = led(`/property-for-sale?${query}`);
      expect(first).toBeDefined();
      expect(led(first ?? "")).toBeUndefined();
    }
  });
});

test("without a text query the order by relevance is dropped", () => {
  expect(searchPath({ ...read("/x?q=sea"), q: "" })).toBe("/property-for-sale");
});

test("the API gets the search without defaults", () => {
  expect(apiSearch(EVERYTHING, "es")).toEqual({ locale: "es", sort: "newest" });
  expect(apiSearch(read("/x?reduced=true&page=2&view=map", "nerja"), "en")).toEqual({
    locale: "en",
    location: ["nerja"],
    reduced: true,
    sort: "newest",
    page: 2,
  });
});

test("no more values are sent than the API accepts", () => {
  const many = Array.from({ length: 80 }, (_, index) => `features=f${index}`).join("&");
  expect(read(`/x?${many}`).features).toHaveLength(50);
});

test("an area has from three to sixty corners", () => {
  const corners = (count: number) =>
    Array.from({ length: count }, (_, index) => `${index},${index % 7}`).join(";");
  expect(read(`/x?area=${corners(60)}`).area).toBe(corners(60));
  expect(read(`/x?area=${corners(61)}`).area).toBeUndefined();
  expect(read("/x?area=1,1;2,2;1,1").area).toBeUndefined();
});

test("a place, an order, a page and a view are no filters", () => {
  expect(isNarrowed(read("/x?sort=oldest&page=2&view=map", "nerja"))).toBe(false);
  expect(isNarrowed(read("/x?minBuilt=80", "nerja"))).toBe(true);
});
