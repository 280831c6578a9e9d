import type { Locale } from "#app/lib/i18n/locale.ts";
import { messagesFor } from "#app/lib/i18n/messages.ts";
import { typeNames } from "#app/lib/vocabulary/names.ts";
import { searchMessages } from "./messages.ts";
import { isNarrowed, type Search } from "./search-params.ts";

/** What the list is of, in words: `Houses for sale in Nerja`. */
export function listHeading(search: Search, locale: Locale, place: string | undefined): string {
  const t = messagesFor(searchMessages, locale);
  const [type, ...otherTypes] = search.propertyType;
  let what = t.title;
  if (search.reduced) what = t.reducedTitle;
  else if (type && otherTypes.length === 0) what = t.forSale(messagesFor(typeNames, locale)[type]);
  if (place) return t.titleIn(what, place);
  return isNarrowed(search) || search.location.length > 0 ? what : t.headline;
}
