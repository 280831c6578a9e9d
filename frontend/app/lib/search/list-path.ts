import { neutralPath } from "#app/lib/i18n/locale.ts";

/** The path of the list of all homes, without its language. */
export const LIST_PATH = "/property-for-sale";

/** What the API accepts as a place's slug. */
export const SLUG = /^\.*[\w-][\w.-]*$/;

const LIST = /^\/property-for-sale(?:\/([\w.-]+))?$/;

/** Returns whether a path segment can be a place's slug. */
export function isSlug(text: string): boolean {
  return SLUG.test(text);
}

/** Returns the path of the list of a place's homes, without its language. */
export function placePath(slug: string): string {
  return `${LIST_PATH}/${slug}`;
}

/**
 * Returns the place whose homes a path lists (`place` is undefined for all homes), or undefined if it is not
 * a list.
 */
export function listAt(pathname: string): { place: string | undefined } | undefined {
  const list = LIST.exec(neutralPath(pathname));
  return list ? { place: list[1] } : undefined;
}
