import { expect, test } from "vitest";
import type { Spot } from "#app/lib/map/projection.ts";
import { TOWNS } from "#app/lib/map/towns.ts";
import { onSketch } from "./coast.ts";
import { landmarksAround } from "./landmarks.ts";

function around(spot: Spot, ...places: string[]) {
  const home = onSketch(spot);
  if (!home) throw new Error("it lies beyond the sketch");
  const all = landmarksAround(home, places);
  return {
    own: all.filter(({ dot }) => !dot).map(({ name }) => name),
    towns: all.filter(({ dot }) => dot).map(({ name }) => name),
  };
}
const others = (...own: string[]) =>
  TOWNS.map(({ name }) => name).filter((name) => !own.includes(name));

test("the mark has the name of the home's place, and a nearby town keeps its dot", () => {
  expect(around({ lat: 36.84, lng: -3.9925 }, "Canillas de Albaida", "The Axarquía")).toEqual({
    own: ["Canillas de Albaida"],
    towns: others(),
  });
  expect(around({ lat: 36.74, lng: -3.9875 }, "El Morche", "Torrox", "The Axarquía")).toEqual({
    own: ["El Morche"],
    towns: others(),
  });
});

test("a home in a drawn town, or in a part of one, is marked with the town's name alone", () => {
  expect(around({ lat: 36.835, lng: -3.975 }, "Cómpeta", "The Axarquía")).toEqual({
    own: ["Cómpeta"],
    towns: others("Cómpeta"),
  });
  expect(around({ lat: 36.7575, lng: -3.955 }, "Torrox Pueblo", "Torrox")).toEqual({
    own: ["Torrox"],
    towns: others("Torrox"),
  });
});

test("a home far from the centre of its town has no name at the mark: it is at the town's dot", () => {
  expect(around({ lat: 36.7725, lng: -3.9675 }, "Torrox", "The Axarquía")).toEqual({
    own: [],
    towns: others(),
  });
});

test("the home's name stays within the sketch, even if other names are dropped", () => {
  for (const spot of [
    { lat: 36.87, lng: -4.15 },
    { lat: 36.871, lng: -3.77 },
    { lat: 36.8525, lng: -3.995 },
  ]) {
    const home = onSketch(spot) ?? { x: 0, y: 0 };
    const [own] = landmarksAround(home, ["Canillas de Albaida"]);
    expect(own?.name).toBe("Canillas de Albaida");
    expect(own?.y).toBeGreaterThan(15);
  }
});
