import { LANGUAGE_TAG, type Locale } from "#app/lib/i18n/locale.ts";

/** The items of one month. */
interface Month<T> {
  /** `2026-11`. */
  key: string;
  /** `November 2026`. */
  name: string;
  items: T[];
}

/**
 * Groups dated items by month in Spanish time, the newest month first. Within a month they keep the order of
 * the input.
 */
export function byMonth<T extends { publishedAt: string }>(
  items: readonly T[],
  locale: Locale,
): Month<T>[] {
  const zone = { timeZone: "Europe/Madrid" } as const;
  const names = new Intl.DateTimeFormat(LANGUAGE_TAG[locale], {
    month: "long",
    year: "numeric",
    ...zone,
  });
  const keys = new Intl.DateTimeFormat("en-CA", { month: "2-digit", year: "numeric", ...zone });
  const months = new Map<string, Month<T>>();
  for (const item of items) {
    const date = new Date(item.publishedAt);
    const key = keys.format(date);
    const name = names.format(date);
    const month = months.get(key) ?? {
      key,
      name: name[0]?.toUpperCase() + name.slice(1),
      items: [],
    };
    month.items.push(item);
    months.set(key, month);
  }
  return [...months.values()].sort((one, other) => (one.key < other.key ? 1 : -1));
}
