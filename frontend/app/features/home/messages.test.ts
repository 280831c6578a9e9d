import { expect, test } from "vitest";
import { homeMessages } from "./messages.ts";

test("counts use each language's digit grouping", () => {
  const { en, es } = homeMessages;
  expect([en.properties(12_500), en.properties(1)]).toEqual(["12,500 properties", "1 property"]);
  expect([es.properties(1_250), es.properties(1)]).toEqual(["1.250 inmuebles", "1 inmueble"]);
  expect(en.median(1_250, "€350,000")).toBe("1,250 homes, median €350,000");
  expect(es.median(12_500, "350.000 €")).toBe("12.500 viviendas, mediana 350.000 €");
});
