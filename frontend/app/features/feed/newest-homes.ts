import type { PropertyItem, PropertyType } from "#app/lib/api/types.ts";
import type { Locale } from "#app/lib/i18n/locale.ts";
import { apiQuery } from "#app/lib/query/api-query.ts";
import type { Read } from "#app/lib/query/page.ts";

const MOST = 30;
/** As many as the API gives at once. */
const PER_PAGE = 100;
/** Homes that are not translated yet stand before those that are; beyond so many pages nobody looks. */
const MOST_PAGES = 3;

/** The newest of all that can be read in a language. */
export async function newestHomes(read: Read, locale: Locale): Promise<PropertyItem[]> {
  // Lists show homes first, so that a new garage would never be among the newest of all.
  const [homes, others] = await Promise.all([
    newestOf(read, locale, ["House", "Apartment"]),
    newestOf(read, locale, ["Commercial"]),
  ]);
  return [...homes, ...others]
    .sort((a, b) => b.publishedAt.localeCompare(a.publishedAt))
    .slice(0, MOST);
}

async function newestOf(
  read: Read,
  locale: Locale,
  propertyType: PropertyType[],
): Promise<PropertyItem[]> {
  const found: PropertyItem[] = [];
  for (let page = 1; page <= MOST_PAGES && found.length < MOST; page += 1) {
    const query = { locale, propertyType, sort: "newest", perPage: PER_PAGE, page } as const;
    const { items } = await read(apiQuery("/api/properties", { query }));
    found.push(...items.filter(({ language }) => language === locale));
    if (items.length < PER_PAGE) break;
  }
  return found;
}
