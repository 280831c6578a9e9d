import { expect, test } from "vitest";
import { partsOf, placeNameIn, placesAround, placeTree } from "./places.ts";

const PLACES = [
  { slug: "torrox", partOf: "axarquia" },
  { slug: "torrox-costa", partOf: "torrox" },
  { slug: "nerja", partOf: "axarquia" },
  { slug: "el-morche", partOf: "torrox" },
  { slug: "ronda" },
  { slug: "axarquia" },
  { slug: "maro", partOf: "nerja" },
];

test("each place stands after the one that it is part of", () => {
  expect(placeTree(PLACES).map(({ place, depth }) => [place.slug, depth])).toEqual([
    ["ronda", 0],
    ["axarquia", 0],
    ["torrox", 1],
    ["torrox-costa", 2],
    ["el-morche", 2],
    ["nerja", 1],
    ["maro", 2],
  ]);
});

test("a place whose surroundings are not known stands by itself", () => {
  const lone = [{ slug: "maro", partOf: "nerja" }];
  expect(placeTree(lone)).toEqual([{ place: lone[0], depth: 0 }]);
  expect(placesAround(lone, "maro")).toEqual([]);
});

test("the way up from a place begins with the largest", () => {
  expect(placesAround(PLACES, "el-morche").map(({ slug }) => slug)).toEqual(["axarquia", "torrox"]);
  expect(placesAround(PLACES, "axarquia")).toEqual([]);
  expect(placesAround(PLACES, "elsewhere")).toEqual([]);
});

test("places that name each other keep nobody waiting", () => {
  const round = [
    { slug: "one", partOf: "other" },
    { slug: "other", partOf: "one" },
  ];
  expect(placesAround(round, "one").map(({ slug }) => slug)).toEqual(["one", "other"]);
});

test("places of one slug stand once each, however they lie in one another", () => {
  const renamed = [{ slug: "torrox" }, { slug: "coast", partOf: "torrox" }];
  const twice = [...renamed, { slug: "torrox", partOf: "coast" }];
  expect(placeTree(twice).map(({ place, depth }) => [place.slug, depth])).toEqual([
    ["torrox", 0],
    ["coast", 1],
    ["torrox", 2],
  ]);
});

test("the parts of a place are the next smaller ones", () => {
  expect(partsOf(PLACES, "torrox").map(({ slug }) => slug)).toEqual(["torrox-costa", "el-morche"]);
});

test("a place is called by its name, and one that is not known by its slug", () => {
  const nameOf = placeNameIn([{ slug: "nerja", name: "Nerja" }]);
  expect([nameOf("nerja"), nameOf("elsewhere")]).toEqual(["Nerja", "elsewhere"]);
});
