import { expect, test } from "vitest";
import { mapMessages } from "./messages.ts";

test("the digits of counts are grouped as in each language", () => {
  const { en, es } = mapMessages;
  expect([en.count(12_500), en.count(1)]).toEqual(["12,500 properties", "1 property"]);
  expect([es.count(1_250), es.count(1)]).toEqual(["1.250 inmuebles", "1 inmueble"]);
  expect(en.group(1_250)).toBe("1,250 properties close together. Zoom in.");
  expect(es.group(12_500)).toBe("12.500 inmuebles muy juntos. Acercar.");
  expect(en.unplaced(1_250)).toMatch(/^1,250 properties aren’t on the map/);
  expect(es.unplaced(1)).toMatch(/^1 inmueble no está en el mapa/);
});
