import { expect, test } from "vitest";
import { parseSearch } from "#app/lib/search/search-params.ts";
import { listHeading, listIntro } from "./list-heading.ts";

test.each([
  ["", undefined, "Search our properties for sale", "Busque entre nuestros inmuebles en venta"],
  ["kind=villa", "Nerja", "Villas for sale in Nerja", "Villas en venta en Nerja"],
  ["status=sold", undefined, "Sold by us", "Vendidos por nosotros"],
  ["status=sold", "Nerja", "Sold by us in Nerja", "Vendidos por nosotros en Nerja"],
  ["status=sold&reduced=true", undefined, "Sold by us", "Vendidos por nosotros"],
  [
    "status=sold&propertyType=House",
    "Nerja",
    "Sold by us in Nerja",
    "Vendidos por nosotros en Nerja",
  ],
  // Some of these are for sale.
  ["status=sold&status=for_sale", undefined, "Properties for sale", "Inmuebles en venta"],
])("the heading of %j in %s", (query, place, english, spanish) => {
  const search = parseSearch(new URLSearchParams(query));
  expect(listHeading(search, "en", place)).toBe(english);
  expect(listHeading(search, "es", place)).toBe(spanish);
});

test("only an editors' text in the other language is marked with its language", () => {
  const spanish = { intro: "A la orilla del mar.", language: "es" } as const;
  const unwritten = { intro: "", language: "es" } as const;
  const search = parseSearch(new URLSearchParams("location=nerja"));
  const sold = parseSearch(new URLSearchParams("location=nerja&status=sold"));
  expect(listIntro(search, "en", spanish)).toEqual({ text: spanish.intro, lang: "es-ES" });
  expect(listIntro(search, "es", spanish)).toEqual({ text: spanish.intro, lang: undefined });
  expect(listIntro(search, "en", unwritten, spanish).lang).toBe("es-ES");
  for (const own of [
    listIntro(search, "en", unwritten),
    listIntro(search, "en", undefined, undefined),
    listIntro(sold, "en", spanish),
  ]) {
    expect(own.text).toMatch(/as of today|have been sold/);
    expect(own.lang).toBeUndefined();
  }
});
