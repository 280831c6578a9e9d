import { foreignTag, type Locale } from "#app/lib/i18n/locale.ts";
import { messagesFor } from "#app/lib/i18n/messages.ts";
import { isNarrowed, type Search } from "#app/lib/search/search-params.ts";
import { kindPlurals, typePlurals } from "#app/lib/vocabulary/names.gen.ts";
import { searchMessages } from "./messages.ts";

/** Returns the heading of the list: its title, or an invitation to search if it shows everything. */
export function listHeading(search: Search, locale: Locale, place: string | undefined): string {
  const isOfAll = !place && search.location.length === 0 && !isNarrowed(search);
  return isOfAll ? messagesFor(searchMessages, locale).headline : listTitle(search, locale, place);
}

/** Returns the title of the list in words: `Houses for sale in Nerja`. */
export function listTitle(search: Search, locale: Locale, place: string | undefined): string {
  const t = messagesFor(searchMessages, locale);
  const what = isSoldOnly(search)
    ? t.soldTitle
    : search.reduced
      ? t.reducedTitle
      : forSaleTitle(search, locale);
  return place ? t.titleIn(what, place) : what;
}

interface WrittenText {
  readonly intro: string;
  readonly language: Locale;
}

/** Returns the text below the heading: the first that the editors have written, or the site's own. */
export function listIntro(
  search: Search,
  locale: Locale,
  ...written: readonly (WrittenText | undefined)[]
): { text: string; lang: string | undefined } {
  const t = messagesFor(searchMessages, locale);
  if (isSoldOnly(search)) return { text: t.soldLead, lang: undefined };
  const first = written.find((text) => text?.intro);
  return { text: first?.intro ?? t.lead, lang: first && foreignTag(first.language, locale) };
}

/** Whether a list shows only sold properties. */
export function isSoldOnly({ status }: Search): boolean {
  return status.join() === "sold";
}

/** Names the only kind or type that is searched for, or properties in general. */
function forSaleTitle({ propertyType, kind }: Search, locale: Locale): string {
  const t = messagesFor(searchMessages, locale);
  const [oneKind, ...otherKinds] = kind;
  const [oneType, ...otherTypes] = propertyType;
  if (oneKind && otherKinds.length === 0)
    return t.forSale(messagesFor(kindPlurals, locale)[oneKind]);
  if (oneType && otherTypes.length === 0 && !oneKind) {
    return t.forSale(messagesFor(typePlurals, locale)[oneType]);
  }
  return t.title;
}
