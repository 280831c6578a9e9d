import { expect, test } from "vitest";
import { whereabouts } from "./whereabouts.ts";

test("a spot is described by the town that it is in or near", () => {
  expect(whereabouts("en", { lat: 36.751, lng: -3.878 })).toBe("at Nerja");
  expect(whereabouts("en", { lat: 36.7297, lng: -3.878 })).toMatch(/^2\.3 km south of Nerja$/);
  expect(whereabouts("es", { lat: 36.75, lng: -3.85 })).toMatch(/^a 2,5 km al este de Nerja$/);
  expect(whereabouts("en", { lat: 36.735, lng: -4.115 })).toMatch(/south-west of Torre del Mar$/);
});
