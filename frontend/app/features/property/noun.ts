import type { PropertyKind } from "#app/lib/api/types.ts";

/** What texts call a property: not everything that is for sale is a home. */
export type Noun = "home" | "garage" | "land" | "office" | "premises";

const OTHER_NOUNS: Partial<Record<PropertyKind, Noun>> = {
  garage: "garage",
  land: "land",
  office: "office",
  premises: "premises",
  bar: "premises",
};

export function nounOf(kind: PropertyKind): Noun {
  return OTHER_NOUNS[kind] ?? "home";
}
