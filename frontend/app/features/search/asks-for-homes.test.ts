import { expect, test } from "vitest";
import { EVERYTHING, type Search } from "#app/lib/search/search-params.ts";
import { asksForHomes } from "./asks-for-homes.ts";

test.each<[Partial<Search>, boolean]>([
  [{}, false],
  [{ q: "AH-9999" }, false],
  [{ propertyType: ["House", "Apartment"] }, true],
  [{ propertyType: ["House", "Commercial"] }, false],
  [{ kind: ["villa", "studio"] }, true],
  [{ kind: ["villa", "garage"] }, false],
])("%j asks for nothing but homes: %s", (search, expected) => {
  expect(asksForHomes({ ...EVERYTHING, ...search })).toBe(expected);
});
