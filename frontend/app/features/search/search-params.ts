import type { ApiParameters, ListingStatus, PropertyType } from "#app/lib/api/types.ts";
import type { Locale } from "#app/lib/i18n/locale.ts";

export const PROPERTY_TYPES = ["House", "Apartment", "Commercial"] as const;
export const STATUSES = ["for_sale", "under_offer", "sale_agreed", "pending", "sold"] as const;
export const SORTS = ["relevance", "newest", "oldest", "price-asc", "price-desc"] as const;

export type Sort = (typeof SORTS)[number];

/** What a list shows, as its address says it. */
export interface Search {
  q: string;
  location: string[];
  propertyType: PropertyType[];
  status: ListingStatus[];
  features: string[];
  minPrice: number | undefined;
  maxPrice: number | undefined;
  minBedrooms: number | undefined;
  minBathrooms: number | undefined;
  minBuilt: number | undefined;
  reduced: boolean;
  featured: boolean;
  sort: Sort;
  page: number;
}

export const NUMBERS = [
  "minPrice",
  "maxPrice",
  "minBedrooms",
  "minBathrooms",
  "minBuilt",
] as const satisfies readonly (keyof Search)[];
const FLAGS = ["reduced", "featured"] as const satisfies readonly (keyof Search)[];
const LISTS = [
  "location",
  "propertyType",
  "status",
  "features",
] as const satisfies readonly (keyof Search)[];

/** More than any home has: a larger bound is a slip, and the API refuses it. */
const MOST: Record<(typeof NUMBERS)[number], number> = {
  minPrice: 999_999_999,
  maxPrice: 999_999_999,
  minBedrooms: 50,
  minBathrooms: 50,
  minBuilt: 1_000_000,
};

export const EVERYTHING: Search = {
  q: "",
  location: [],
  propertyType: [],
  status: [],
  features: [],
  minPrice: undefined,
  maxPrice: undefined,
  minBedrooms: undefined,
  minBathrooms: undefined,
  minBuilt: undefined,
  reduced: false,
  featured: false,
  sort: "newest",
  page: 1,
};

const LIST_PATH = "/property-for-sale";
const SLUG = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const LONGEST_TEXT = 100;
/** The API goes no deeper than ten thousand homes. */
const LAST_PAGE = 400;

/** The order where none is asked for: words are answered by how well they are met. */
export function usualSort(q: string): Sort {
  return q === "" ? "newest" : "relevance";
}

/** The orders to choose from: how well words are met needs words. */
export function sortsFor(q: string): readonly Sort[] {
  return q === "" ? SORTS.filter((sort) => sort !== "relevance") : SORTS;
}

/** Whether a part of a path can be a place's at all. */
export function isSlug(text: string): boolean {
  return SLUG.test(text);
}

/**
 * Reads an address. What it can't mean (an unknown type, a price in words) is left out: a visitor
 * with an odd link still sees homes.
 */
export function parseSearch(params: URLSearchParams, place?: string): Search {
  const distinct = (name: string) => [...new Set(params.getAll(name))].sort();
  const slugs = (name: string) => distinct(name).filter((value) => SLUG.test(value));
  const members = <T extends string>(name: string, all: readonly T[]) =>
    all.filter((member) => params.getAll(name).includes(member)).sort();
  const number = (name: string, most: number) => {
    const text = params.get(name)?.trim() ?? "";
    const value = /^\d{1,9}$/.test(text) ? Number(text) : 0;
    return value > 0 && value <= most ? value : undefined;
  };
  const bound = (name: (typeof NUMBERS)[number]) => number(name, MOST[name]);
  const q = (params.get("q") ?? "").trim().replace(/\s+/g, " ").slice(0, LONGEST_TEXT);
  const sort = members("sort", SORTS)[0];
  return {
    q,
    location: place === undefined ? slugs("location") : [place],
    propertyType: members("propertyType", PROPERTY_TYPES),
    status: members("status", STATUSES),
    features: slugs("features"),
    minPrice: bound("minPrice"),
    maxPrice: bound("maxPrice"),
    minBedrooms: bound("minBedrooms"),
    minBathrooms: bound("minBathrooms"),
    minBuilt: bound("minBuilt"),
    reduced: params.get("reduced") === "true",
    featured: params.get("featured") === "true",
    sort: sort === undefined || !sortsFor(q).includes(sort) ? usualSort(q) : sort,
    page: number("page", LAST_PAGE) ?? 1,
  };
}

/** The query part that names a search, its names in order and nothing said that goes without. */
function searchParams(search: Search, placeInPath: boolean): URLSearchParams {
  const params = new URLSearchParams();
  if (search.q) params.set("q", search.q);
  for (const name of LISTS) {
    if (name === "location" && placeInPath) continue;
    for (const value of search[name]) params.append(name, value);
  }
  for (const name of NUMBERS) {
    if (search[name] !== undefined) params.set(name, String(search[name]));
  }
  for (const name of FLAGS) if (search[name]) params.set(name, "true");
  const usual = usualSort(search.q);
  if (search.sort !== usual && sortsFor(search.q).includes(search.sort)) {
    params.set("sort", search.sort);
  }
  if (search.page > 1) params.set("page", String(search.page));
  // The order in which the site's cache names pages, too.
  params.sort();
  return params;
}

/** What the fields of a search form show, the place among them. */
export function searchFields(search: Search): URLSearchParams {
  return searchParams(search, false);
}

/** The one address of a search, without its language. A single place stands in the path. */
export function searchPath(search: Search): string {
  const [place, ...others] = search.location;
  const inPath = place !== undefined && others.length === 0;
  const path = inPath ? `${LIST_PATH}/${place}` : LIST_PATH;
  const params = searchParams(search, inPath);
  return params.size > 0 ? `${path}?${params}` : path;
}

const KNOWN: readonly string[] = ["q", "sort", "page", ...LISTS, ...NUMBERS, ...FLAGS];

/**
 * Where an address leads that says a search in another way than `searchPath` does, such as a form's
 * with its empty fields. Names that are not ours are nobody's business here.
 */
export function tidierPath(url: URL, neutralPathname: string, search: Search): string | undefined {
  const known = new URLSearchParams([...url.searchParams].filter(([name]) => KNOWN.includes(name)));
  // Another order of the same names is no other address.
  known.sort();
  const given = known.size > 0 ? `${neutralPathname}?${known}` : neutralPathname;
  const tidy = searchPath(search);
  return given === tidy ? undefined : tidy;
}

/** The search as the API is asked for it. */
export function apiSearch(
  search: Search,
  locale: Locale,
): NonNullable<ApiParameters<"/api/properties">["query"]> {
  const some = <T>(values: T[]) => (values.length > 0 ? values : undefined);
  const asked = {
    locale,
    q: search.q || undefined,
    location: some(search.location),
    propertyType: some(search.propertyType),
    status: some(search.status),
    features: some(search.features),
    minPrice: search.minPrice,
    maxPrice: search.maxPrice,
    minBedrooms: search.minBedrooms,
    minBathrooms: search.minBathrooms,
    minBuilt: search.minBuilt,
    reduced: search.reduced || undefined,
    featured: search.featured || undefined,
    sort: search.sort,
    page: search.page > 1 ? search.page : undefined,
  };
  return Object.fromEntries(
    Object.entries(asked).filter(([, value]) => value !== undefined),
  ) as NonNullable<ApiParameters<"/api/properties">["query"]>;
}

/** Whether anything narrows the list beyond its place. */
export function isNarrowed(search: Search): boolean {
  return searchPath({ ...search, location: [], sort: "newest", page: 1 }) !== LIST_PATH;
}
