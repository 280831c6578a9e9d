import { useLocation } from "react-router";
import { neutralPath } from "#app/lib/i18n/locale.ts";

/** Returns the slug of the page at a path: the path itself, without language prefix and outer slashes. */
export function slugOfPath(pathname: string): string {
  return neutralPath(pathname).replace(/^\/|\/$/g, "");
}

/** Returns the slug of the current page, for routes without a slug parameter. */
export function usePageSlug(): string {
  return slugOfPath(useLocation().pathname);
}
