import { read, write } from "#app/lib/browser/stored.ts";
import { LOCALES, type Locale, localeOf, localizedPath } from "#app/lib/i18n/locale.ts";

const KEY = "language";

/** The language chosen since the page was loaded. */
let chosenHere: Locale | undefined;

/** Returns the language chosen on this device, or else the browser's first supported one. */
export function ownLanguage(): Locale {
  return chosenHere ?? storedLanguage() ?? firstSupported(navigator.languages);
}

/** Returns the first supported language; English if there is none. */
export function firstSupported(languages: readonly string[]): Locale {
  for (const tag of languages) {
    const [language] = tag.toLowerCase().split("-");
    const locale = LOCALES.find((each) => each === language);
    if (locale) return locale;
  }
  return "en";
}

export function chooseLanguage(locale: Locale): void {
  // Without storage the choice lasts as long as the page.
  chosenHere = locale;
  write(KEY, locale);
}

function storedLanguage(): Locale | undefined {
  const stored = read(KEY);
  return LOCALES.find((locale) => locale === stored);
}

/** Returns the page's path in the operator's language if `url` is in another: colleagues share links. */
export function pathInOwnLanguage(url: URL, own: Locale): string | undefined {
  if (localeOf(url.pathname) === own) return undefined;
  return localizedPath(own, url.pathname) + url.search + url.hash;
}
