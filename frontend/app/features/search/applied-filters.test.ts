import { expect, test } from "vitest";
import type { Locale } from "#app/lib/i18n/locale.ts";
import { parseSearch, searchPath } from "#app/lib/search/search-params.ts";
import { appliedFilters } from "./applied-filters.tsx";
import { filterMessages } from "./filter-messages.ts";

const QUERY =
  "notLocation=nerja&withoutFeatures=pool&withoutFeatures=lift&maxBedrooms=3&newBuild=true";

function labels(locale: Locale, query = QUERY): string[] {
  const search = parseSearch(new URLSearchParams(query));
  return appliedFilters(search, locale, () => "Nerja").map(({ label }) => label);
}

test("exclusions, a maximum of bedrooms and new builds are labelled in words", () => {
  expect(labels("en")).toEqual([
    "not in Nerja",
    "up to 3 bedrooms",
    "without lift",
    "without pool",
    "New build",
  ]);
  expect(labels("es")).toEqual([
    "fuera de Nerja",
    "hasta 3 dormitorios",
    "sin ascensor",
    "sin piscina",
    "Obra nueva",
  ]);
});

test("a range of one day includes yesterday", () => {
  expect(labels("en", "newWithin=1")).toEqual(["new since yesterday"]);
  expect(labels("es", "newWithin=1")).toEqual(["novedades desde ayer"]);
  expect(labels("en", "newWithin=30")).toEqual(["new in the last 30 days"]);
  expect(labels("es", "newWithin=30")).toEqual(["novedades de los últimos 30 días"]);
  const { en, es } = filterMessages;
  expect([en.withinDays(1), es.withinDays(1)]).toEqual(["Since yesterday", "Desde ayer"]);
});

test("each filter has the search without it", () => {
  const search = parseSearch(new URLSearchParams(QUERY));
  const [place, bedrooms, lift] = appliedFilters(search, "en", () => "Nerja");
  expect(place && searchPath(place.without)).not.toContain("notLocation");
  expect(bedrooms && searchPath(bedrooms.without)).not.toContain("maxBedrooms");
  expect(lift && searchPath(lift.without)).toContain("withoutFeatures=pool");
  expect(lift && searchPath(lift.without)).not.toContain("lift");
});
