import { expect, test } from "vitest";
import type { PropertyDetail } from "#app/lib/api/types.ts";
import type { Locale } from "#app/lib/i18n/locale.ts";
import { factsOf } from "./facts-of.ts";

test("a single room has a singular name, in both languages", () => {
  const names = (rooms: number, locale: Locale) => {
    const home = { kind: "apartment", bedrooms: rooms, bathrooms: rooms } as PropertyDetail;
    return factsOf(home, locale).map(({ name }) => name);
  };
  expect(names(1, "en")).toEqual(["Bedroom", "Bathroom"]);
  expect(names(2, "en")).toEqual(["Bedrooms", "Bathrooms"]);
  expect(names(1, "es")).toEqual(["Dormitorio", "Baño"]);
  expect(names(2, "es")).toEqual(["Dormitorios", "Baños"]);
});
