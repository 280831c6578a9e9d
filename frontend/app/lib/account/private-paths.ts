import { neutralPath } from "#app/lib/i18n/locale.ts";

/** Pages that belong to one visitor, with all paths below them: the same list as the door's `private_page.rs`. */
const PRIVATE = /^\/(account|alerts|enquiry|login|save-search|signup)(\/|$)/;

/** Returns whether the page at `pathname`, in either language, is private to one visitor. */
export function isPrivatePath(pathname: string): boolean {
  return PRIVATE.test(neutralPath(pathname));
}
