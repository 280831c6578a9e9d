import { expect, test } from "vitest";
import { listAt, placePath } from "./list-path.ts";

test.each(["nerja", "torrox.costa", "San_Pedro", ".hidden", "el-morche"])(
  "the list of %s is recognized by its address in either language",
  (place) => {
    expect(listAt(placePath(place))).toEqual({ place });
    expect(listAt(`/es${placePath(place)}`)).toEqual({ place });
  },
);

test("the list of all homes has no place, and nothing else is a list", () => {
  expect(listAt("/es/property-for-sale")).toEqual({ place: undefined });
  for (const path of [
    "/",
    "/property-for-sale/nerja/AH-1",
    "/property-for-sale/a%20b",
    "/property-for-sale-nerja",
    "/save-search",
  ]) {
    expect(listAt(path), path).toBeUndefined();
  }
});
