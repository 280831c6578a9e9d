import { expect, test } from "vitest";
import { fieldName, refusedValue, valueInWords } from "./words.ts";

test("a field is called as editors know it", () => {
  expect(fieldName("en", "builtArea")).toBe("Built area");
  expect(fieldName("es", "price")).toBe("Precio");
  expect(fieldName("es", "status")).toBe("Situación de la venta");
  expect(fieldName("es", "slug")).toBe("Dirección web");
  expect(fieldName("es", "translations.es-ES.title")).toBe("Título (es-ES)");
  expect(fieldName("en", "energy_rating")).toBe("Energy rating");
  expect(fieldName("es", "energy_rating")).toBe("Calificación energética");
  expect(fieldName("en", "built_m2")).toBe("built_m2");
  expect(fieldName("es", "images[3]")).toBe("Foto 3");
  expect(fieldName("en", "")).toBe("the item");
});

test("a value is told in words", () => {
  expect(valueInWords("en", "price", 895_000)).toContain("895,000");
  expect(valueInWords("en", "bedrooms", 4)).toBe("4");
  expect(valueInWords("es", "reduced", true)).toBe("sí");
  expect(valueInWords("en", "floor", null)).toBe("nothing");
  expect(valueInWords("en", "features", ["pool", "garage"])).toBe("pool, garage");
  expect(valueInWords("es", "images", [{ file: "a" }])).toBe("1 foto");
  expect(valueInWords("en", "location", { slug: "nerja", name: "Nerja" })).toBe("Nerja");
  expect(valueInWords("en", "energy", { rating: "C", emissions: null })).toBe("rating: C");
  expect(valueInWords("en", "body", "x".repeat(500))).toHaveLength(401);
});

test("what keeps an item back is told in words where there is nothing", () => {
  expect(refusedValue("en", "null")).toBe("nothing");
  expect(refusedValue("es", "")).toBe("nada");
  expect(refusedValue("en", "-895000")).toBe("-895000");
});
