import { expect, test } from "vitest";
import { parseSearch } from "#app/lib/search/search-params.ts";
import { searchWords } from "./search-words.ts";

const PLACES: Record<string, string> = { nerja: "Nerja", torrox: "Torrox" };

const words = (query: string) =>
  searchWords(parseSearch(new URLSearchParams(query)), "es", (slug) => PLACES[slug] ?? slug);

test.each([
  ["location=nerja&kind=villa&features=pool", "Villas en venta en Nerja, Piscina"],
  ["location=nerja&propertyType=House", "Casas en venta en Nerja"],
  ["propertyType=House&minPrice=200000", "Casas en venta, desde 200.000 €"],
  ["", "Inmuebles en venta"],
])("%j is described without repetition", (query, said) => {
  expect(words(query).replaceAll(/\u00a0|\u202f/g, " ")).toBe(said);
});

test("several places, kinds or types are listed after the title and not in it", () => {
  expect(words("location=nerja&location=torrox")).toBe("Inmuebles en venta, Nerja, Torrox");
  const two = words("location=nerja&kind=villa&kind=penthouse");
  expect(two).toMatch(/^Inmuebles en venta en Nerja, /);
  expect(two.split(", ")).toHaveLength(3);
});

test("sold homes are called sold once", () => {
  expect(words("kind=villa&status=sold")).toBe("Vendidos por nosotros, Villa");
});

test("a search for reduced homes still names its kind", () => {
  const said = words("location=nerja&kind=villa&reduced=true");
  expect(said).toContain("Villa");
  expect(said.split(", ")).toHaveLength(2);
});
