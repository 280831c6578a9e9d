import { LANGUAGE_TAG, type Locale } from "./locale.ts";

/** One formatter a language, made when it is first used: that costs milliseconds on a phone. */
export function perLocale<T>(make: (tag: string) => T): (locale: Locale) => T {
  const made: Partial<Record<Locale, T>> = {};
  return (locale) => {
    made[locale] ??= make(LANGUAGE_TAG[locale]);
    return made[locale];
  };
}
