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

/** The homes of one type or one kind in one place: a page of its own. */
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

/** The place that a list is all about, on the page that says what it is like. */
export function describedPlace(search: Search): string | undefined {
  const { location, page, view } = search;
  const isPlacePage = page === 1 && view === "list" && location.length === 1 && !isNarrowed(search);
  return isPlacePage ? location[0] : undefined;
}

/** Whether a list is of all that there is, wherever it stands. */
export function isOfAll(search: Search): boolean {
  return search.location.length === 0 && !isNarrowed(search);
}

/** The place that the words at a list's head are about. */
export function introducedPlace({ location }: Search): string | undefined {
  return location.length === 1 ? location[0] : undefined;
}

/**
 * The address that search engines keep. A list that is narrowed in any other way, ordered or shown
 * on a map, is a view of the whole one; a further page is a page of its own. A place without a home
 * of a type has nothing to keep.
 */
export function canonicalPath(search: Search, total: number): string {
  const several = search.location.length > 1;
  const own = !several && (!isNarrowed(search) || (isPlacePage(search) && total > 0));
  return own
    ? searchPath({ ...search, sort: usualSort(search.q), view: "list" })
    : searchPath({ ...EVERYTHING, location: several ? [] : search.location });
}

/** The pages of a place that have a home to show, types before kinds. */
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
