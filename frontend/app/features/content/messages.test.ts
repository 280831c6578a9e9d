import { expect, test } from "vitest";
import { contentMessages } from "./messages.ts";

test("counts use each language's digit grouping", () => {
  const { en, es } = contentMessages;
  expect([en.count(12_500), en.count(1)]).toEqual(["12,500 properties", "1 property"]);
  expect([es.count(1_250), es.count(1)]).toEqual(["1.250 inmuebles", "1 inmueble"]);
  expect(en.countIn(1_250, "Nerja")).toBe("1,250 properties for sale in Nerja");
  expect(es.countIn(12_500, "Nerja")).toBe("12.500 inmuebles en venta en Nerja");
});
