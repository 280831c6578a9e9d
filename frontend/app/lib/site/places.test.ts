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

test("each place comes after the one that contains it", () => {
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

test("a place whose containing place is not known is at the top level", () => {
  const lone = [{ slug: "maro", partOf: "nerja" }];
  expect(placeTree(lone)).toEqual([{ place: lone[0], depth: 0 }]);
  expect(placesAround(lone, "maro")).toEqual([]);
});

test("the places around a place begin with the outermost", () => {
  expect(placesAround(PLACES, "el-morche").map(({ slug }) => slug)).toEqual(["axarquia", "torrox"]);
  expect(placesAround(PLACES, "axarquia")).toEqual([]);
  expect(placesAround(PLACES, "elsewhere")).toEqual([]);
});

test("places that contain each other cause no endless loop", () => {
  const round = [
    { slug: "one", partOf: "other" },
    { slug: "other", partOf: "one" },
  ];
  expect(placesAround(round, "one").map(({ slug }) => slug)).toEqual(["one", "other"]);
});

test("places with the same slug are listed once each, however they are nested", () => {
  const renamed = [{ slug: "torrox" }, { slug: "coast", partOf: "torrox" }];
  const twice = [...renamed, { slug: "torrox", partOf: "coast" }];
  expect(placeTree(twice).map(({ place, depth }) => [place.slug, depth])).toEqual([
    ["torrox", 0],
    ["coast", 1],
    ["torrox", 2],
  ]);
});

test("the parts of a place are the places directly within it", () => {
  expect(partsOf(PLACES, "torrox").map(({ slug }) => slug)).toEqual(["torrox-costa", "el-morche"]);
});

test("a place's label is its name, or its slug if the place is unknown", () => {
  const nameOf = placeNameIn([{ slug: "nerja", name: "Nerja" }]);
  expect([nameOf("nerja"), nameOf("elsewhere")]).toEqual(["Nerja", "elsewhere"]);
});
