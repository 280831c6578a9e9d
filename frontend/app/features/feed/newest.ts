import type { Locale } from "#app/lib/i18n/locale.ts";

/** The maximum number of entries in a feed. */
export const MAX_ENTRIES = 30;
/** The maximum that the API returns in a page. */
const PER_PAGE = 100;
/** Untranslated items may fill the first pages. The search for translated ones ends after this many pages. */
const MAX_PAGES = 3;

/** Returns the newest items in a language, from a list that `readPage` reads page by page. */
export async function newestItemsIn<Item extends { readonly language: Locale }>(
  locale: Locale,
  readPage: (part: {
    page: number;
    perPage: number;
  }) => Promise<{ readonly items: readonly Item[] }>,
): Promise<Item[]> {
  const found: Item[] = [];
  for (let page = 1; page <= MAX_PAGES && found.length < MAX_ENTRIES; page += 1) {
    const { items } = await readPage({ page, perPage: PER_PAGE });
    found.push(...items.filter(({ language }) => language === locale));
    if (items.length < PER_PAGE) break;
  }
  return found.slice(0, MAX_ENTRIES);
}
