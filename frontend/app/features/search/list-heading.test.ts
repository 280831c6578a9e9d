import { expect, test } from "vitest";
import { parseSearch } from "#app/lib/search/search-params.ts";
import { listHeading } from "./list-heading.ts";

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
  // Of these, some are for sale.
  ["status=sold&status=for_sale", undefined, "Properties for sale", "Inmuebles en venta"],
])("what %j finds in %s is headed in words", (query, place, english, spanish) => {
  const search = parseSearch(new URLSearchParams(query));
  expect(listHeading(search, "en", place)).toBe(english);
  expect(listHeading(search, "es", place)).toBe(spanish);
});
