import { LANGUAGE_TAG, type Locale } from "#app/lib/i18n/locale.ts";

/** Things of one month. */
export interface Month<T> {
  /** `2026-11`. */
  key: string;
  /** `November 2026`. */
  name: string;
  items: T[];
}

/** Dated things in the months that they belong to on this coast, in the order they came in. */
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
  return [...months.values()];
}

const DAY_MS = 24 * 60 * 60 * 1_000;

/**
 * Those of the last days before the latest one, it included: counted from it and not from today, so
 * that a page changes with its content and never with the clock.
 */
export function latestWithin<T extends { publishedAt: string }>(
  items: readonly T[],
  days: number,
): T[] {
  const times = items.map(({ publishedAt }) => Date.parse(publishedAt));
  const since = Math.max(...times) - days * DAY_MS;
  return items.filter(({ publishedAt }) => Date.parse(publishedAt) >= since);
}
