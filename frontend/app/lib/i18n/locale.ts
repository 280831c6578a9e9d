import { useLocation } from "react-router";

/** The languages of the site, English first: it stands at the root. */
export const LOCALES = ["en", "es"] as const;

export type Locale = (typeof LOCALES)[number];

/** The tags of HTML's `lang` and of `hreflang`. */
export const LANGUAGE_TAG: Record<Locale, string> = { en: "en-GB", es: "es-ES" };

/** Each as its speakers call it. */
export const LANGUAGE_NAME: Record<Locale, string> = { en: "English", es: "Español" };

const SPANISH_PREFIX = "/es";

/** The language of a path: it alone decides, so that a page is a function of its address. */
export function localeOf(pathname: string): Locale {
  return pathname === SPANISH_PREFIX || pathname.startsWith(`${SPANISH_PREFIX}/`) ? "es" : "en";
}

/** The path without its language. */
export function neutralPath(pathname: string): string {
  if (localeOf(pathname) === "en") return pathname;
  return pathname.slice(SPANISH_PREFIX.length) || "/";
}

/** The address of a page (`/property-for-sale?x=1`, as content names it) in a language. */
export function localizedPath(locale: Locale, path: string): string {
  if (!path.startsWith("/") || path.startsWith("//")) return path;
  const neutral = neutralPath(path);
  if (locale === "en") return neutral;
  if (neutral === "/") return SPANISH_PREFIX;
  return SPANISH_PREFIX + (neutral.startsWith("/?") ? neutral.slice(1) : neutral);
}

/** The tag of a text's language, where a reader of this page must be told that it is another. */
export function foreignTag(language: Locale, locale: Locale): string | undefined {
  return language === locale ? undefined : LANGUAGE_TAG[language];
}

/** The language of the page that is shown. */
export function useLocale(): Locale {
  return localeOf(useLocation().pathname);
}
