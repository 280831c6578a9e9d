import { LOCALES, type Locale, localeOf, localizedPath } from "#app/lib/i18n/locale.ts";

const KEY = "language";

/** The language that an operator has chosen on this device; otherwise the browser's first that we speak. */
export function ownLanguage(): Locale {
  return chosen() ?? spokenFirst(navigator.languages);
}

/** English where none is ours. */
export function spokenFirst(languages: readonly string[]): Locale {
  for (const tag of languages) {
    const [language] = tag.toLowerCase().split("-");
    const locale = LOCALES.find((each) => each === language);
    if (locale) return locale;
  }
  return "en";
}

export function chooseLanguage(locale: Locale): void {
  try {
    localStorage.setItem(KEY, locale);
  } catch {
    // Storage may be forbidden: the choice then lasts as long as the address.
  }
}

function chosen(): Locale | undefined {
  try {
    const stored = localStorage.getItem(KEY);
    return LOCALES.find((locale) => locale === stored);
  } catch {
    return undefined;
  }
}

/** The same page in the operator's language, where `url` is in another: colleagues send each other links. */
export function elsewhere(url: URL, own: Locale): string | undefined {
  if (localeOf(url.pathname) === own) return undefined;
  return localizedPath(own, url.pathname) + url.search + url.hash;
}
