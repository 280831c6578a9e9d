import { expect, test } from "vitest";
import { nounOf } from "#app/features/property/noun.ts";
import type { PropertyKind } from "#app/lib/api/types.ts";
import { EVERYTHING, type Search } from "#app/lib/search/search-params.ts";
import { kindNames } from "#app/lib/vocabulary/names.gen.ts";
import { asksForHomes } from "./asks-for-homes.ts";

test.each<[Partial<Search>, boolean]>([
  [{}, false],
  [{ q: "AH-9999" }, false],
  [{ propertyType: ["House", "Apartment"] }, true],
  [{ propertyType: ["House", "Commercial"] }, false],
  [{ kind: ["villa", "studio"] }, true],
  [{ kind: ["villa", "garage"] }, false],
])("%j asks only for homes: %s", (search, expected) => {
  expect(asksForHomes({ ...EVERYTHING, ...search })).toBe(expected);
});

test.each(Object.keys(kindNames.en) as PropertyKind[])(
  "%s counts as a home if and only if its page calls it one",
  (kind) => {
    const isHome = nounOf(kind) === "home";
    expect(asksForHomes({ ...EVERYTHING, kind: [kind] })).toBe(isHome);
  },
);
