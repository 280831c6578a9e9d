import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { kindNames } from "#app/lib/vocabulary/names.gen.ts";
import { roomNames } from "#app/lib/vocabulary/rooms.gen.ts";
import { fieldName, refusedValue, valueInWords } from "./words.ts";

test("a field has the editors' name", () => {
  expect(fieldName("en", "builtArea")).toBe("Built area");
  expect(fieldName("es", "price")).toBe("Precio");
  expect(fieldName("es", "status")).toBe("Situación de la venta");
  expect(fieldName("es", "slug")).toBe("Dirección web");
  expect(fieldName("es", "translations.es-ES.title")).toBe("Título (es-ES)");
  expect(fieldName("en", "energy_rating")).toBe("Energy rating");
  expect(fieldName("es", "energy_rating")).toBe("Calificación energética");
  expect(fieldName("en", "built_m2")).toBe("Built area");
  expect(fieldName("en", "unheard_of")).toBe("unheard_of");
  expect(fieldName("en", "")).toBe("the item");
});

test("an entry of a list is named with its position", () => {
  expect(fieldName("es", "images[3]")).toBe("Foto 3");
  expect(fieldName("es", "images.0f8470da-8519-4420-8d5d-ae4d58b58e5f.width")).toBe("Fotos");
  expect(fieldName("es", "floor_plan.width")).toBe("Plano");
  expect(fieldName("es", "rooms[3].m2")).toBe("Estancia 3, Superficie");
  expect(fieldName("en", "rooms[12].kind")).toBe("Room 12, Kind");
});

test("each field of a previewed collection that has a rule has a name", async () => {
  const file = new URL(
    "../../../../../services/shared/contracts/src/rules/table.rs",
    import.meta.url,
  );
  const table = await readFile(file, "utf8");
  const previewed =
    /\w+\("(?:properties|locations|articles|pages|docs)(?:_translations)?", "(\w+)"/g;
  const fields = [...table.matchAll(previewed)].map(([, field]) => field ?? "");
  expect(fields).toContain("terrace_m2");
  expect(fields.filter((field) => fieldName("es", field) === field)).toEqual([]);
});

test("a value is described in words", () => {
  expect(valueInWords("en", "price", 895_000)).toContain("895,000");
  expect(valueInWords("en", "bedrooms", 4)).toBe("4");
  expect(valueInWords("es", "reduced", true)).toBe("sí");
  expect(valueInWords("en", "floor", null)).toBe("nothing");
  expect(valueInWords("es", "images", [{ file: "a" }])).toBe("1 foto");
  expect(valueInWords("en", "location", { slug: "nerja", name: "Nerja" })).toBe("Nerja");
  expect(valueInWords("en", "body", "x".repeat(500))).toHaveLength(401);
});

test("a code of the API is replaced by its name", () => {
  expect(valueInWords("es", "status", "under_offer")).toBe("Reservado");
  expect(valueInWords("en", "kind", "village-house")).toBe("Village house");
  expect(valueInWords("es", "propertyType", "Apartment")).toBe("Pisos");
  expect(valueInWords("en", "features", ["pool", "sea-view"])).toBe("Pool, Sea view");
  expect(valueInWords("es", "features", ["sea-view", "zip-line"])).toBe("Vistas al mar, Zip line");
  expect(valueInWords("es", "title", "under_offer")).toBe("under_offer");
});

test("numbers and dates are formatted as on the page", () => {
  expect(valueInWords("es", "builtArea", 87.5)).toBe("87,5");
  expect(valueInWords("en", "plotArea", 1_250)).toBe("1,250");
  expect(valueInWords("es", "yearBuilt", 1998)).toBe("1998");
  expect(valueInWords("es", "publishedAt", "2026-11-24T23:30:00Z")).toBe("25 de noviembre de 2026");
});

test("the members of a value have the editors' names", () => {
  expect(valueInWords("es", "annualCosts", { communityFees: 960, ibi: 480, garbage: null })).toBe(
    "Comunidad: 960\u00a0€, IBI: 480\u00a0€",
  );
  expect(valueInWords("en", "energy", { rating: "C", emissions: null })).toBe("Rating: C");
  expect(valueInWords("es", "energy", { rating: "in_process" })).toBe("Calificación: en trámite");
  expect(valueInWords("en", "coordinates", { lat: 36.749, lng: -3.8725 })).toBe(
    "Latitude: 36.749, Longitude: -3.8725",
  );
  expect(
    valueInWords("es", "particulars", {
      orientation: "s",
      beachWalk: { minutes: 5, slope: "flat" },
    }),
  ).toBe("Orientación: Sur, A pie a la playa: Minutos: 5, Camino: Llano");
});

test("rooms, exemptions, ratings and embedded services have names", () => {
  const rooms = [
    { kind: "living-kitchen", area: 20, floor: null },
    { kind: "en-suite", area: null, floor: null },
  ];
  expect(valueInWords("es", "particulars", { rooms })).toBe(
    "Estancias: Clase: Salón con cocina, Superficie: 20, Clase: Baño en suite",
  );
  const energy = { rating: "exempt", emissionsRating: "in_process", exemption: "small_detached" };
  expect(valueInWords("es", "energy", energy)).toBe(
    "Calificación: exento, Calificación de emisiones: en trámite, Motivo de la exención: Edificio independiente de menos de 50 m² útiles",
  );
  expect(valueInWords("es", "particulars", { video: { id: "dQw4", service: "youtube" } })).toBe(
    "Vídeo: Identificador: dQw4, Servicio: YouTube",
  );
});

test("a kind of both rooms and homes has one name", () => {
  for (const locale of ["en", "es"] as const) {
    const both = { ...roomNames[locale], ...kindNames[locale] };
    expect(both).toMatchObject(roomNames[locale]);
  }
});

test("a missing value that is refused is described in words", () => {
  expect(refusedValue("en", "null")).toBe("nothing");
  expect(refusedValue("es", "")).toBe("nada");
  expect(refusedValue("en", "-895000")).toBe("-895000");
});
