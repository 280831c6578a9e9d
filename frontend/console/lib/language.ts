import { read, write } from "#app/lib/browser/stored.ts";
import { LOCALES, type Locale, localeOf, localizedPath } from "#app/lib/i18n/locale.ts";

const KEY = "language";

/** What was chosen since the page was opened. */
let here: Locale | undefined;

/** The language that an operator has chosen on this device; otherwise the browser's first that we speak. */
export function ownLanguage(): Locale {
  return here ?? chosen() ?? spokenFirst(navigator.languages);
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
  // Where it can't be kept, the choice lasts as long as the page.
  here = locale;
  write(KEY, locale);
}

function chosen(): Locale | undefined {
  const stored = read(KEY);
  return LOCALES.find((locale) => locale === stored);
}

/** The same page in the operator's language, where `url` is in another: colleagues send each other links. */
export function elsewhere(url: URL, own: Locale): string | undefined {
  if (localeOf(url.pathname) === own) return undefined;
  return localizedPath(own, url.pathname) + url.search + url.hash;
}
