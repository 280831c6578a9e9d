import type { PropertyKind, PropertyList, PropertyType } from "#app/lib/api/types.ts";
import {
  EVERYTHING,
  isNarrowed,
  PROPERTY_KINDS,
  PROPERTY_TYPES,
  type Search,
  searchPath,
  usualSort,
} from "#app/lib/search/search-params.ts";

/** A page with the homes of one type or one kind in one place. */
interface PlacePage {
  readonly what: { readonly type: PropertyType } | { readonly kind: PropertyKind };
  readonly path: string;
  readonly count: number;
}

/** Whether a search is for one type or one kind in one place, and for nothing else. */
export function isPlacePage(search: Search): boolean {
  const { location, propertyType, kind } = search;
  return (
    location.length === 1 &&
    propertyType.length + kind.length === 1 &&
    !isNarrowed({ ...search, propertyType: [], kind: [] })
  );
}

/**
 * Returns the place that this page describes: only the first page of a list of one place, without filters,
 * does.
 */
export function describedPlace(search: Search): string | undefined {
  const { location, page, view } = search;
  const isPlacePage = page === 1 && view === "list" && location.length === 1 && !isNarrowed(search);
  return isPlacePage ? location[0] : undefined;
}

/** Whether a list shows everything, in all places and without filters. */
export function isUnfiltered(search: Search): boolean {
  return search.location.length === 0 && !isNarrowed(search);
}

/** Returns the place that the introduction at the top of a list is about. */
export function introducedPlace({ location }: Search): string | undefined {
  return location.length === 1 ? location[0] : undefined;
}

/**
 * Returns the canonical address for search engines. A list that is filtered in any other way, sorted or
 * shown on a map counts as a view of the unfiltered list. Each further page of a list has its own address.
 * A type that a place has no home of has none.
 */
export function canonicalPath(search: Search, total: number): string {
  const several = search.location.length > 1;
  const own = !several && (!isNarrowed(search) || (isPlacePage(search) && total > 0));
  return own
    ? searchPath({ ...search, sort: usualSort(search.q), view: "list" })
    : searchPath({ ...EVERYTHING, location: several ? [] : search.location });
}

/** Returns the pages of a place that have at least one home, types before kinds. */
export function placePages(
  place: string,
  facets: Pick<PropertyList["facets"], "propertyType" | "kind">,
): PlacePage[] {
  const all = [
    ...PROPERTY_TYPES.map((type) => ({
      what: { type },
      path: searchPath({ ...EVERYTHING, location: [place], propertyType: [type] }),
      count: facets.propertyType[type] ?? 0,
    })),
    ...PROPERTY_KINDS.map((kind) => ({
      what: { kind },
      path: searchPath({ ...EVERYTHING, location: [place], kind: [kind] }),
      count: facets.kind[kind] ?? 0,
    })),
  ];
  return all.filter((page) => page.count > 0);
}
