import { neutralPath } from "#app/lib/i18n/locale.ts";

/** The list of all homes, without its language. */
export const LIST_PATH = "/property-for-sale";

/** What the API takes for a place's slug. */
export const SLUG = /^\.*[\w-][\w.-]*$/;

const LIST = /^\/property-for-sale(?:\/([\w.-]+))?$/;

/** Whether a part of a path can be a place's at all. */
export function isSlug(text: string): boolean {
  return SLUG.test(text);
}

/** The list of a place's homes, without its language. */
export function placePath(slug: string): string {
  return `${LIST_PATH}/${slug}`;
}

/** The place whose homes an address lists, none where those of all; nothing where it is no list's. */
export function listAt(pathname: string): { place: string | undefined } | undefined {
  const list = LIST.exec(neutralPath(pathname));
  return list ? { place: list[1] } : undefined;
}
