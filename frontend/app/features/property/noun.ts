import type { PropertyKind } from "#app/lib/api/types.ts";

/** What a property is spoken of as: not everything that is for sale is a home. */
export type Noun = "home" | "garage" | "land" | "office" | "premises";

const OTHERS: Partial<Record<PropertyKind, Noun>> = {
  garage: "garage",
  land: "land",
  office: "office",
  premises: "premises",
  bar: "premises",
};

export function nounOf(kind: PropertyKind): Noun {
  return OTHERS[kind] ?? "home";
}
