import { useLocation } from "react-router";

/** The languages of the site. English is the first one and is served at the root. */
export const LOCALES = ["en", "es"] as const;

export type Locale = (typeof LOCALES)[number];

/** The language tags, for HTML's `lang` and `hreflang`. */
export const LANGUAGE_TAG: Record<Locale, string> = { en: "en-GB", es: "es-ES" };

/** The name of each language in that language. */
export const LANGUAGE_NAME: Record<Locale, string> = { en: "English", es: "Español" };

const SPANISH_PREFIX = "/es";

/** Returns the language of a path. Only the path decides, so that a page depends on nothing but its address. */
export function localeOf(pathname: string): Locale {
  return pathname === SPANISH_PREFIX || pathname.startsWith(`${SPANISH_PREFIX}/`) ? "es" : "en";
}

/** Returns the path without its language prefix. */
export function neutralPath(pathname: string): string {
  if (localeOf(pathname) === "en") return pathname;
  return pathname.slice(SPANISH_PREFIX.length) || "/";
}

/** Returns the address of a page (`/property-for-sale?x=1`, as content names it) in a language. */
export function localizedPath(locale: Locale, path: string): string {
  if (!path.startsWith("/") || path.startsWith("//")) return path;
  const neutral = neutralPath(path);
  if (locale === "en") return neutral;
  if (neutral === "/") return SPANISH_PREFIX;
  return SPANISH_PREFIX + (neutral.startsWith("/?") ? neutral.slice(1) : neutral);
}

/** Returns the `lang` tag of a text if it differs from the page's language. */
export function foreignTag(language: Locale, locale: Locale): string | undefined {
  return language === locale ? undefined : LANGUAGE_TAG[language];
}

/** Returns the language of the current page. */
export function useLocale(): Locale {
  return localeOf(useLocation().pathname);
}
