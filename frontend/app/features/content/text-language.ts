import { LANGUAGE_TAG, type Locale } from "#app/lib/i18n/locale.ts";

/** The tag of a text's language, where a reader of this page must be told that it is another. */
export function foreignTag(language: Locale, locale: Locale): string | undefined {
  return language === locale ? undefined : LANGUAGE_TAG[language];
}
