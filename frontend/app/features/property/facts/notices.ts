import type { PropertyDetail } from "#app/lib/api/types.ts";
import type { Locale } from "#app/lib/i18n/locale.ts";
import { type ApiQuery, apiQuery } from "#app/lib/query/api-query.ts";
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

type Described = Pick<PropertyDetail, "kind" | "newBuild" | "energy">;

/** Which notices are about a property. What needs no energy certificate is told of none. */
export function noticesOf({ kind, newBuild, energy }: Described): readonly NoticeName[] {
  const noun = nounOf(kind);
  const all = noun === "home" && newBuild ? NEW_HOME : NOTICES[noun];
  return energy?.rating === "exempt" ? all.filter((name) => name !== "certificate") : all;
}

const groupOf = (name: NoticeName) => `notice_${name}`;

/** They stand among the figures, each as a group of its own, so that a page carries those it shows. */
export function noticesQuery(locale: Locale, property: Described): ApiQuery<readonly Notice[]> {
  const names = noticesOf(property);
  return apiQuery("/api/figures", { query: { locale, group: names.map(groupOf) } }, ({ figures }) =>
    readNotices(figures, names),
  );
}

/** Those of `names` that the editors have words for, in that order. */
export function readNotices(figures: unknown, names: readonly NoticeName[]): readonly Notice[] {
  return names.flatMap((name) => {
    const { title, text } = fieldsOf(fieldsOf(figures)[groupOf(name)]);
    return typeof title === "string" && typeof text === "string" ? [{ name, title, text }] : [];
  });
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
