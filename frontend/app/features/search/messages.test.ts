import { expect, test } from "vitest";
import type { PropertyType } from "#app/lib/api/types.ts";
import { countNonHomes, findsOnlyHomes, searchMessages, unquoted } from "./messages.ts";

test.each<[PropertyType[], number, number]>([
  [[], 18, 18],
  [[], 0, 0],
  [["House", "Commercial"], 18, 18],
  // The facet counts all types, also those that are not searched for.
  [["House"], 18, 0],
])(
  "a search for %j with %i non-homes in the facet finds %i of them",
  (propertyType, counted, found) => {
    const facets = { propertyType: { House: 61, Apartment: 51, Commercial: counted } };
    expect(countNonHomes({ propertyType }, facets)).toBe(found);
    const asked = propertyType.includes("Commercial");
    expect(findsOnlyHomes({ propertyType }, facets)).toBe(found === 0 && !asked);
  },
);

test.each([
  ["quiet street", "quiet street"],
  ['"quiet street"', "quiet street"],
  ["“quiet street”", "quiet street"],
  ["'quiet street'", "quiet street"],
  ['walking distance "shops"', "walking distance shops"],
  ['"sea view" "roof terrace"', "sea view roof terrace"],
  ["the owner's own", "the owner's own"],
  // Without the marks, nothing would be left.
  ['""', '""'],
])("the text %s is shown as %s within the site's quotation marks", (text, shown) => {
  expect(unquoted(text)).toBe(shown);
});

test("the digits of counts are grouped as in each language", () => {
  const { en, es } = searchMessages;
  expect([en.count(12_500, true), en.count(1, true)]).toEqual(["12,500 homes", "1 home"]);
  expect([es.count(1_250, false), es.count(1, false)]).toEqual(["1.250 inmuebles", "1 inmueble"]);
  expect(en.homesThen(1_250)).toBe("1,250 homes first, then");
  expect(es.homesThen(12_500)).toBe("Primero, 12.500 viviendas; después,");
  expect(en.others(1_250)).toBe("1,250 garages, plots and premises");
  expect(es.others(12_500)).toBe("12.500 garajes, terrenos y locales");
});
