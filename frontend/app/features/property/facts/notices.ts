import { asRecord } from "#app/lib/api/answer.ts";
import type { PropertyDetail } from "#app/lib/api/types.ts";
import { type Noun, nounOf } from "../noun.ts";

type NoticeName =
  | "deposit"
  | "sheet"
  | "on_account"
  | "building"
  | "certificate"
  | "papers"
  | "garage"
  | "community"
  | "planning"
  | "water"
  | "licence"
  | "tenant";

/** A notice for buyers of a property, in the editors' words. */
export interface Notice {
  readonly name: NoticeName;
  readonly title: string;
  readonly text: string;
}

const BUSINESS: readonly NoticeName[] = ["papers", "licence", "community", "tenant", "certificate"];

/** Law 12/2023 and the Junta's information sheet apply to dwellings; other properties have other laws. */
const NOTICES: Record<Noun, readonly NoticeName[]> = {
  home: ["deposit", "sheet", "certificate"],
  garage: ["papers", "garage", "community"],
  land: ["papers", "planning", "water"],
  office: BUSINESS,
  premises: BUSINESS,
};

const NEW_HOME: readonly NoticeName[] = [
  "deposit",
  "on_account",
  "building",
  "sheet",
  "certificate",
];

/** The fields that decide which notices apply to a property. */
export type NoticeCriteria = Pick<PropertyDetail, "kind" | "newBuild" | "energy">;

/** Returns the notices that apply to a property; no `certificate` where none is required. */
export function noticesOf({ kind, newBuild, energy }: NoticeCriteria): readonly NoticeName[] {
  const noun = nounOf(kind);
  const all = noun === "home" && newBuild ? NEW_HOME : NOTICES[noun];
  return energy?.rating === "exempt" ? all.filter((name) => name !== "certificate") : all;
}

/** Returns the group of the editors' figures with the text of a notice. */
export const noticeGroup = (name: NoticeName) => `notice_${name}`;

/** Returns those of `names` that the editors have written, in that order. */
export function readNotices(figures: unknown, names: readonly NoticeName[]): readonly Notice[] {
  return names.flatMap((name) => {
    const { title, text } = asRecord(asRecord(figures)[noticeGroup(name)]);
    return typeof title === "string" && typeof text === "string" ? [{ name, title, text }] : [];
  });
}
