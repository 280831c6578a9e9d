import { expect, test } from "vitest";
import type { PropertyKind } from "#app/lib/api/types.ts";
import { nounOf } from "../noun.ts";
import { noticesOf } from "./legal.tsx";

const notices = (kind: PropertyKind, newBuild = false) => noticesOf({ kind, newBuild });

test("the housing law and the information sheet are told of homes alone", () => {
  for (const kind of ["villa", "village-house", "country-house", "studio", "penthouse"] as const) {
    expect(nounOf(kind)).toBe("home");
    expect(notices(kind)).toEqual(["deposit", "sheet", "certificate"]);
  }
  for (const kind of ["garage", "land", "office", "premises", "bar"] as const) {
    expect(notices(kind)).not.toContain("deposit");
    expect(notices(kind)).not.toContain("sheet");
    expect(notices(kind)).toContain("papers");
  }
});

test("a new home has the builder's guarantees, and nothing else does", () => {
  expect(notices("apartment", true)).toEqual(expect.arrayContaining(["onAccount", "building"]));
  expect(notices("apartment")).not.toContain("building");
  expect(notices("premises", true)).not.toContain("building");
});

test("what has neither walls nor a licence is not spoken of as if it had", () => {
  expect(notices("land")).toContain("planning");
  for (const kind of ["garage", "land"] as const) {
    expect(notices(kind)).not.toContain("certificate");
    expect(notices(kind)).not.toContain("licence");
  }
  expect(notices("bar")).toEqual(expect.arrayContaining(["licence", "certificate"]));
});
