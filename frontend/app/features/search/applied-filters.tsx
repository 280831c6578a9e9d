import { formatArea, formatPrice } from "#app/lib/format/format.ts";
import type { Locale } from "#app/lib/i18n/locale.ts";
import { messagesFor, useMessages } from "#app/lib/i18n/messages.ts";
import { featureName } from "#app/lib/vocabulary/feature-names.ts";
import { statusNames, typeNames } from "#app/lib/vocabulary/names.ts";
import { Icon } from "#app/ui/icon.tsx";
import { Link } from "#app/ui/link.tsx";
import { searchMessages } from "./messages.ts";
import { EVERYTHING, NUMBERS, type Search, searchPath } from "./search-params.ts";

export interface AppliedFilter {
  label: string;
  /** The search without it. */
  without: Search;
}

type PlaceName = (slug: string) => string;

/** Each thing that narrows a search, in words. */
export function appliedFilters(
  search: Search,
  locale: Locale,
  placeName: PlaceName,
): AppliedFilter[] {
  const t = messagesFor(searchMessages, locale);
  const types = messagesFor(typeNames, locale);
  const statuses = messagesFor(statusNames, locale);
  const applied: AppliedFilter[] = [];
  const add = (label: string, change: Partial<Search>) =>
    applied.push({ label, without: { ...search, page: 1, ...change } });
  const less = <T,>(values: readonly T[], value: T) => values.filter((each) => each !== value);

  if (search.q) add(`“${search.q}”`, { q: "" });
  for (const slug of search.location) {
    add(placeName(slug), { location: less(search.location, slug) });
  }
  for (const type of search.propertyType) {
    add(types[type], { propertyType: less(search.propertyType, type) });
  }
  const numbers: Record<(typeof NUMBERS)[number], (value: number) => string> = {
    minPrice: (value) => t.from(formatPrice(locale, value)),
    maxPrice: (value) => t.upTo(formatPrice(locale, value)),
    minBedrooms: t.beds,
    minBathrooms: t.baths,
    minBuilt: (value) => t.size(formatArea(locale, value)),
  };
  for (const name of NUMBERS) {
    const value = search[name];
    if (value !== undefined) add(numbers[name](value), { [name]: undefined });
  }
  for (const feature of search.features) {
    add(featureName(feature, locale), { features: less(search.features, feature) });
  }
  for (const status of search.status) {
    add(statuses[status], { status: less(search.status, status) });
  }
  if (search.reduced) add(t.reduced, { reduced: false });
  if (search.featured) add(t.featured, { featured: false });
  return applied;
}

/** A chip for each filter in use: following it takes the filter away. */
export function AppliedFilters({
  filters,
  sort,
}: {
  filters: readonly AppliedFilter[];
  sort: Search["sort"];
}) {
  const t = useMessages(searchMessages);
  if (filters.length === 0) return null;
  return (
    <ul aria-label={t.inUse} className="flex flex-wrap gap-2">
      {filters.map(({ label, without }) => (
        <li key={label}>
          <Link
            to={searchPath(without)}
            aria-label={t.remove(label)}
            className="inline-flex min-h-9 items-center gap-1.5 rounded-full bg-sun-wash px-3.5 text-sm font-medium transition-colors hover:bg-sun hover:text-on-sun"
          >
            {label}
            <Icon name="close" className="size-4" />
          </Link>
        </li>
      ))}
      <li>
        <Link
          to={searchPath({ ...EVERYTHING, sort })}
          className="text-link inline-flex min-h-9 items-center px-2 text-sm font-medium"
        >
          {t.clear}
        </Link>
      </li>
    </ul>
  );
}
