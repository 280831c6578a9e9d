import type { Locale } from "#app/lib/i18n/locale.ts";

/** How many a feed has. */
export const MOST = 30;
/** As many as the API gives at once. */
const PER_PAGE = 100;
/** What is not translated yet stands before what is; beyond so many pages nobody looks. */
const MAX_PAGES = 3;

/** The newest that can be read in a language, of a list that `ask` gives page by page. */
export async function newestIn<Item extends { readonly language: Locale }>(
  locale: Locale,
  ask: (part: { page: number; perPage: number }) => Promise<{ readonly items: readonly Item[] }>,
): Promise<Item[]> {
  const found: Item[] = [];
  for (let page = 1; page <= MAX_PAGES && found.length < MOST; page += 1) {
    const { items } = await ask({ page, perPage: PER_PAGE });
    found.push(...items.filter(({ language }) => language === locale));
    if (items.length < PER_PAGE) break;
  }
  return found.slice(0, MOST);
}
