import { formatArea, formatPrice } from "#app/lib/format/format.ts";
import type { Locale } from "#app/lib/i18n/locale.ts";
import { messagesFor, useMessages } from "#app/lib/i18n/messages.ts";
import { EVERYTHING, NUMBERS, type Search, searchPath } from "#app/lib/search/search-params.ts";
import { featureName } from "#app/lib/vocabulary/feature-names.ts";
import { kindNames, statusNames, typePlurals } from "#app/lib/vocabulary/names.gen.ts";
import { Chip } from "#app/ui/chip.tsx";
import { Link } from "#app/ui/link.tsx";
import { searchMessages } from "./messages.ts";

export interface AppliedFilter {
  /** The name in the address that says it. */
  parameter: keyof Search;
  label: string;
  /** The search without it. */
  without: Search;
}

type PlaceName = (slug: string) => string;
type Several = "location" | "propertyType" | "kind" | "energy" | "features" | "status";

/** Each thing that narrows a search, in words. */
export function appliedFilters(
  search: Search,
  locale: Locale,
  placeName: PlaceName,
): AppliedFilter[] {
  const t = messagesFor(searchMessages, locale);
  const types = messagesFor(typePlurals, locale);
  const kinds = messagesFor(kindNames, locale);
  const statuses = messagesFor(statusNames, locale);
  const price = (value: number) => formatPrice(locale, value);
  const area = (value: number) => formatArea(locale, value);

  const one = (parameter: keyof Search, label: string): AppliedFilter => ({
    parameter,
    label,
    without: without(search, [parameter]),
  });
  const each = <Name extends Several>(
    parameter: Name,
    label: (value: Search[Name][number]) => string,
  ): AppliedFilter[] =>
    search[parameter].map((value) => ({
      parameter,
      label: label(value),
      without: {
        ...search,
        page: 1,
        [parameter]: search[parameter].filter((other) => other !== value),
      },
    }));
  const numbers: Record<(typeof NUMBERS)[number], (value: number) => string> = {
    minPrice: (value) => t.from(price(value)),
    maxPrice: (value) => t.upTo(price(value)),
    minBedrooms: t.beds,
    minBathrooms: t.baths,
    minBuilt: (value) => t.builtFrom(area(value)),
    maxBuilt: (value) => t.builtUpTo(area(value)),
    minPlot: (value) => t.plotFrom(area(value)),
    maxPlot: (value) => t.plotUpTo(area(value)),
    newWithin: t.newWithin,
  };
  return [
    ...(search.q ? [one("q", t.quoted(search.q))] : []),
    ...each("location", placeName),
    ...each("propertyType", (type) => types[type]),
    ...each("kind", (kind) => kinds[kind]),
    ...NUMBERS.flatMap((name) => {
      const value = search[name];
      return value === undefined ? [] : [one(name, numbers[name](value))];
    }),
    ...each("features", (feature) => featureName(feature, locale)),
    ...each("energy", t.energyOf),
    ...each("status", (status) => statuses[status]),
    ...(search.reduced ? [one("reduced", t.reduced)] : []),
    ...(search.featured ? [one("featured", t.featured)] : []),
    ...(search.bbox ? [one("bbox", t.mapPart)] : []),
    ...(search.area ? [one("area", t.drawnArea)] : []),
  ];
}

/** The search with nothing said of some parameters. */
export function without(search: Search, parameters: readonly (keyof Search)[]): Search {
  const kept = Object.entries(search).filter(
    ([name]) => !(parameters as readonly string[]).includes(name),
  );
  return { ...EVERYTHING, ...Object.fromEntries(kept), page: 1 };
}

/** A chip for each filter in use: following it takes the filter away. */
export function AppliedFilters({
  search,
  filters,
  words,
}: {
  search: Search;
  filters: readonly AppliedFilter[];
  /** What was asked for in words, where a part of it was understood as filters. */
  words: string | undefined;
}) {
  const t = useMessages(searchMessages);
  if (filters.length === 0) return null;
  return (
    <ul aria-label={t.inUse} className="flex flex-wrap items-center gap-2">
      {words ? <li className="text-sm text-muted">{t.understood(words)}</li> : null}
      {filters.map(({ parameter, label, without }) => (
        <li key={`${parameter} ${label}`}>
          <Chip to={searchPath(without)} remove={t.remove(label)}>
            {label}
          </Chip>
        </li>
      ))}
      <li className="print:hidden">
        <Link
          to={searchPath({ ...EVERYTHING, sort: search.sort, view: search.view })}
          preventScrollReset
          className="text-link inline-flex min-h-9 items-center pr-2 text-sm font-medium"
        >
          {t.clear}
        </Link>
      </li>
    </ul>
  );
}
