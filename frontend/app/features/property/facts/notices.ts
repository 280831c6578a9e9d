import { fieldsOf } from "#app/lib/api/answer.ts";
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

/** What is told of a property to whoever thinks of buying it, in the editors' words. */
export interface Notice {
  readonly name: NoticeName;
  readonly title: string;
  readonly text: string;
}

const BUSINESS: readonly NoticeName[] = ["papers", "licence", "community", "tenant", "certificate"];

/** Law 12/2023 and the Junta's information sheet are about dwellings; the rest have laws of their own. */
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

/** What decides which notices are about a property. */
export type Described = Pick<PropertyDetail, "kind" | "newBuild" | "energy">;

/** Which notices are about a property. What needs no energy certificate is told of none. */
export function noticesOf({ kind, newBuild, energy }: Described): readonly NoticeName[] {
  const noun = nounOf(kind);
  const all = noun === "home" && newBuild ? NEW_HOME : NOTICES[noun];
  return energy?.rating === "exempt" ? all.filter((name) => name !== "certificate") : all;
}

/** The group of the editors' figures that has its words. */
export const groupOf = (name: NoticeName) => `notice_${name}`;

/** Those of `names` that the editors have words for, in that order. */
export function readNotices(figures: unknown, names: readonly NoticeName[]): readonly Notice[] {
  return names.flatMap((name) => {
    const { title, text } = fieldsOf(fieldsOf(figures)[groupOf(name)]);
    return typeof title === "string" && typeof text === "string" ? [{ name, title, text }] : [];
  });
}
