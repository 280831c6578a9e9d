import type { PropertyItem, PropertyType } from "#app/lib/api/types.ts";
import type { Locale } from "#app/lib/i18n/locale.ts";
import { apiQuery } from "#app/lib/query/api-query.ts";
import type { Read } from "#app/lib/query/page.ts";
import { MAX_ENTRIES, newestItemsIn } from "./newest.ts";

/** Returns the newest properties with a text in a language. */
export async function newestHomes(read: Read, locale: Locale): Promise<PropertyItem[]> {
  // Lists show homes first, so a single list of all types would never have a new garage among the newest.
  const [homes, others] = await Promise.all([
    newestOf(read, locale, ["House", "Apartment"]),
    newestOf(read, locale, ["Commercial"]),
  ]);
  return [...homes, ...others]
    .sort((a, b) => b.publishedAt.localeCompare(a.publishedAt))
    .slice(0, MAX_ENTRIES);
}

function newestOf(
  read: Read,
  locale: Locale,
  propertyType: PropertyType[],
): Promise<PropertyItem[]> {
  return newestItemsIn(locale, (part) =>
    read(apiQuery("/api/properties", { query: { locale, propertyType, sort: "newest", ...part } })),
  );
}
