import { useLocation } from "react-router";
import { neutralPath } from "#app/lib/i18n/locale.ts";

/** The slug of the page that stands at a path: the editors name pages by their addresses. */
export function ownSlug(pathname: string): string {
  return neutralPath(pathname).replace(/^\/|\/$/g, "");
}

/** The slug of the page that is shown, where its route has no parameter for it. */
export function useOwnSlug(): string {
  return ownSlug(useLocation().pathname);
}
