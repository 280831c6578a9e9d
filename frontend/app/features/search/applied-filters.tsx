import type { PropertyList } from "#app/lib/api/types.ts";
import { Boundary } from "#app/lib/browser/boundary.tsx";
import { MONTHS } from "#app/lib/format/date.ts";
import { formatArea, formatNumber, formatPrice } from "#app/lib/format/format.ts";
import { type Locale, useLocale } from "#app/lib/i18n/locale.ts";
import { messagesFor, useMessages } from "#app/lib/i18n/messages.ts";
import { lazy } from "#app/lib/release/lazy.ts";
import {
  EVERYTHING,
  type LISTS,
  NUMBERS,
  type Search,
  searchPath,
} from "#app/lib/search/search-params.ts";
import { placeLabel } from "#app/lib/site/place-label.ts";
import { featureName } from "#app/lib/vocabulary/feature-names.ts";
import { kindNames, markNames, statusNames, typePlurals } from "#app/lib/vocabulary/names.gen.ts";
import { Chip } from "#app/ui/chip.tsx";
import { Link } from "#app/ui/link.tsx";
import { searchMessages } from "./messages.ts";

/** Loaded only when needed: most searches need no note. */
const SearchNotes = lazy(() => import("./search-notes.tsx"));

export interface AppliedFilter {
  /** The parameter of the address that sets it. */
  parameter: keyof Search;
  label: string;
  /** The search without this filter. */
  without: Search;
}

type PlaceName = (slug: string) => string;
type ListParameter = (typeof LISTS)[number];

/** Lists the filters of a search, each with its label. */
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
  const each = <Name extends ListParameter>(
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
    maxBedrooms: t.bedsUpTo,
    minBathrooms: t.baths,
    minBuilt: (value) => t.builtFrom(area(value)),
    maxBuilt: (value) => t.builtUpTo(area(value)),
    minPlot: (value) => t.plotFrom(area(value)),
    maxPlot: (value) => t.plotUpTo(area(value)),
    newWithin: t.newWithin,
  };
  return [
    ...(search.q ? [one("q", t.quoted(search.q))] : []),
    ...each("location", (slug) => placeLabel(placeName(slug))),
    ...each("notLocation", (slug) => t.notIn(placeName(slug))),
    ...each("propertyType", (type) => types[type]),
    ...each("kind", (kind) => kinds[kind]),
    ...NUMBERS.flatMap((name) => {
      const value = search[name];
      return value === undefined ? [] : [one(name, numbers[name](value))];
    }),
    ...each("features", (feature) => featureName(feature, locale)),
    ...each("withoutFeatures", (feature) => t.withoutFeature(featureName(feature, locale))),
    ...each("energy", t.energyOf),
    ...each("status", (status) => statuses[status]),
    ...(search.reduced ? [one("reduced", t.reduced)] : []),
    ...(search.featured ? [one("featured", t.featured)] : []),
    ...(search.newBuild ? [one("newBuild", messagesFor(markNames, locale).newBuild)] : []),
    ...(search.bbox ? [one("bbox", t.mapPart)] : []),
    ...(search.area ? [one("area", t.drawnArea)] : []),
  ];
}

/** Returns the search with some parameters reset, on its first page. */
export function without(search: Search, parameters: readonly (keyof Search)[]): Search {
  const emptied = parameters.map((name) => [name, EVERYTHING[name]]);
  return { ...search, ...Object.fromEntries(emptied), page: 1 };
}

/** A chip for each filter in use. Following its link removes the filter. */
export function AppliedFilters({
  search,
  filters,
  words,
  list,
}: {
  search: Search;
  filters: readonly AppliedFilter[];
  /** The text that was typed, if a part of it was understood as filters. */
  words: string | undefined;
  list: Pick<PropertyList, "understood" | "leftOut" | "ruledOut">;
}) {
  const locale = useLocale();
  const t = useMessages(searchMessages);
  const labelOf = ({ parameter, label }: AppliedFilter) => {
    const pounds = list.understood.find((part) => part.parameter === parameter)?.pounds;
    if (!pounds) return label;
    const [year, month] = pounds.asOf.split("-");
    const name = MONTHS[locale].split(" ")[Number(month) - 1];
    return t.inPounds(
      label,
      formatNumber(locale, pounds.amount),
      formatNumber(locale, pounds.rate),
      `${name} ${year}`,
    );
  };
  return (
    <>
      {list.leftOut ||
      list.ruledOut ||
      search.location[1] ||
      search.notLocation[0] ||
      list.understood.some((part) => part.parameter === "rent") ? (
        <Boundary>
          <SearchNotes search={search} list={list} />
        </Boundary>
      ) : null}
      {filters.length > 0 ? (
        <Boundary>
          <ul aria-label={t.inUse} className="flex flex-wrap items-center gap-2">
            {words ? <li className="text-sm text-muted">{t.understood(words)}</li> : null}
            {filters.map((filter, chip) => (
              <li key={`${filter.parameter} ${filter.label}`}>
                <Chip
                  to={searchPath(filter.without)}
                  state={{ chip }}
                  remove={t.remove(labelOf(filter))}
                >
                  {labelOf(filter)}
                </Chip>
              </li>
            ))}
            <li className="print:hidden">
              <Link
                to={searchPath({ ...EVERYTHING, sort: search.sort, view: search.view })}
                state={{ chip: 0 }}
                preventScrollReset
                className="text-link inline-flex min-h-9 items-center pr-2 text-sm font-medium"
              >
                {t.clear}
              </Link>
            </li>
          </ul>
        </Boundary>
      ) : null}
    </>
  );
}
