import type {
  ApiParameters,
  EnergyLetter,
  ListingStatus,
  PropertyKind,
  PropertyType,
} from "#app/lib/api/types.ts";
import type { Locale } from "#app/lib/i18n/locale.ts";
import {
  energyLetters,
  kindNames,
  statusNames,
  typePlurals,
} from "#app/lib/vocabulary/names.gen.ts";
import { LIST_PATH, placePath, SLUG } from "./list-path.ts";
import { parseBound } from "./parse-bound.ts";
import { normalizeArea, normalizeBbox } from "./search-area.ts";

/** Returns the values that the vocabulary has a name for: those can be searched for. */
const named = <Value extends string>(names: Record<Value, string>) =>
  Object.keys(names) as readonly string[] as readonly Value[];

export const PROPERTY_TYPES = named<PropertyType>(typePlurals.en);
export const PROPERTY_KINDS = named<PropertyKind>(kindNames.en);
export const STATUSES = named<ListingStatus>(statusNames.en);
const SORTS = [
  "relevance",
  "newest",
  "oldest",
  "price-asc",
  "price-desc",
  "price-per-m2",
  "reduced",
] as const;

export type Sort = (typeof SORTS)[number];

/** The search of a list, as encoded in its address. */
export interface Search {
  q: string;
  location: string[];
  /** Places that are excluded. */
  notLocation: string[];
  propertyType: PropertyType[];
  kind: PropertyKind[];
  energy: EnergyLetter[];
  status: ListingStatus[];
  features: string[];
  /** Features that are excluded. */
  withoutFeatures: string[];
  minPrice: number | undefined;
  maxPrice: number | undefined;
  minBedrooms: number | undefined;
  maxBedrooms: number | undefined;
  minBathrooms: number | undefined;
  minBuilt: number | undefined;
  maxBuilt: number | undefined;
  minPlot: number | undefined;
  maxPlot: number | undefined;
  /** Listed within this number of days. */
  newWithin: number | undefined;
  reduced: boolean;
  featured: boolean;
  newBuild: boolean;
  /** A part of the map: `west,south,east,north` in degrees. */
  bbox: string | undefined;
  /** A polygon on the map: `lng,lat;lng,lat;…` in degrees. */
  area: string | undefined;
  sort: Sort;
  page: number;
  /** How the results are shown; does not change the results. */
  view: View;
}

export type View = "list" | "map";

export const NUMBERS = [
  "minPrice",
  "maxPrice",
  "minBedrooms",
  "maxBedrooms",
  "minBathrooms",
  "minBuilt",
  "maxBuilt",
  "minPlot",
  "maxPlot",
  "newWithin",
] as const satisfies readonly (keyof Search)[];
const FLAGS = ["reduced", "featured", "newBuild"] as const satisfies readonly (keyof Search)[];
export const LISTS = [
  "location",
  "notLocation",
  "propertyType",
  "kind",
  "energy",
  "status",
  "features",
  "withoutFeatures",
] as const satisfies readonly (keyof Search)[];

const AREAS = ["bbox", "area"] as const satisfies readonly (keyof Search)[];

/** Larger than the values of any home: a larger bound is a mistake, and the API rejects it. */
const MAX_BOUNDS: Record<(typeof NUMBERS)[number], number> = {
  minPrice: 999_999_999,
  maxPrice: 999_999_999,
  minBedrooms: 50,
  maxBedrooms: 50,
  minBathrooms: 50,
  minBuilt: 1_000_000,
  maxBuilt: 1_000_000,
  minPlot: 100_000_000,
  maxPlot: 100_000_000,
  newWithin: 365,
};

/** Pairs of bounds that are swapped if they are in the wrong order. */
const RANGES = [
  ["minPrice", "maxPrice"],
  ["minBedrooms", "maxBedrooms"],
  ["minBuilt", "maxBuilt"],
  ["minPlot", "maxPlot"],
] as const;

export const EVERYTHING: Search = {
  q: "",
  location: [],
  notLocation: [],
  propertyType: [],
  kind: [],
  energy: [],
  status: [],
  features: [],
  withoutFeatures: [],
  minPrice: undefined,
  maxPrice: undefined,
  minBedrooms: undefined,
  maxBedrooms: undefined,
  minBathrooms: undefined,
  minBuilt: undefined,
  maxBuilt: undefined,
  minPlot: undefined,
  maxPlot: undefined,
  newWithin: undefined,
  reduced: false,
  featured: false,
  newBuild: false,
  bbox: undefined,
  area: undefined,
  sort: "newest",
  page: 1,
  view: "list",
};

/** A feature's identifier. Editors may use letters of any script. */
const FEATURE = /^[\p{L}\p{N}-]+$/u;
const MAX_TEXT_LENGTH = 100;
/** The API's limit of values per parameter. */
const MAX_VALUES = 50;
/** The API's last page. */
const LAST_PAGE = 400;

/** Returns how many pages a list has. Homes beyond the API's last page are found by a narrower search. */
export function pagesOf(total: number, perPage: number): number {
  return Math.min(LAST_PAGE, Math.ceil(total / perPage));
}

/** Returns which page of a list an address asks for; by default the first. */
export function pageOf(params: URLSearchParams): number {
  return numberIn(params, "page", LAST_PAGE) ?? 1;
}

function numberIn(params: URLSearchParams, name: string, limit: number): number | undefined {
  const value = parseBound(params.get(name) ?? "");
  return value > 0 && value <= limit ? value : undefined;
}

/** Returns the default order: by relevance if there is a text query. */
export function usualSort(q: string): Sort {
  return q === "" ? "newest" : "relevance";
}

/** Returns the available orders: relevance needs a text query. */
export function sortsFor(q: string): readonly Sort[] {
  return q === "" ? SORTS.filter((sort) => sort !== "relevance") : SORTS;
}

/**
 * Parses an address. Invalid values (an unknown type, a price in words) are ignored: a visitor with an odd
 * link still sees homes.
 */
export function parseSearch(params: URLSearchParams, place?: string): Search {
  const distinct = (name: string) => [...new Set(params.getAll(name))].sort();
  const matching = (name: string, pattern = SLUG) =>
    distinct(name)
      .filter((value) => pattern.test(value))
      .slice(0, MAX_VALUES);
  const members = <T extends string>(name: string, all: readonly T[]) =>
    all.filter((member) => params.getAll(name).includes(member)).sort();
  const bounds = Object.fromEntries(
    NUMBERS.map((name) => [name, numberIn(params, name, MAX_BOUNDS[name])]),
  ) as Pick<Search, (typeof NUMBERS)[number]>;
  for (const [min, max] of RANGES) {
    const [lower, upper] = [bounds[min], bounds[max]];
    if (lower !== undefined && upper !== undefined && lower > upper) {
      [bounds[min], bounds[max]] = [upper, lower];
    }
  }
  const q = (params.get("q") ?? "").trim().replace(/\s+/g, " ").slice(0, MAX_TEXT_LENGTH);
  const sort = members("sort", SORTS)[0];
  return {
    q,
    location: place === undefined ? matching("location") : [place],
    notLocation: matching("notLocation"),
    propertyType: members("propertyType", PROPERTY_TYPES),
    kind: members("kind", PROPERTY_KINDS),
    energy: members("energy", energyLetters),
    status: members("status", STATUSES),
    features: matching("features", FEATURE),
    withoutFeatures: matching("withoutFeatures", FEATURE),
    ...bounds,
    reduced: params.get("reduced") === "true",
    featured: params.get("featured") === "true",
    newBuild: params.get("newBuild") === "true",
    bbox: normalizeBbox(params.get("bbox")),
    area: normalizeArea(params.get("area")),
    sort: sort === undefined || !sortsFor(q).includes(sort) ? usualSort(q) : sort,
    page: pageOf(params),
    view: params.get("view") === "map" ? "map" : "list",
  };
}

/** Returns the query string of a search, with its parameters sorted and defaults omitted. */
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
  for (const name of AREAS) if (search[name] !== undefined) params.set(name, search[name]);
  const defaultSort = usualSort(search.q);
  if (search.sort !== defaultSort && sortsFor(search.q).includes(search.sort)) {
    params.set("sort", search.sort);
  }
  if (search.page > 1) params.set("page", String(search.page));
  if (search.view !== "list") params.set("view", search.view);
  // The site's cache keys pages in the same order.
  params.sort();
  return params;
}

/** Returns the values of the fields of a search form, including the place. */
export function searchFields(search: Search): URLSearchParams {
  return searchParams(search, false);
}

/** Returns the canonical path of a search, without its language. A single place is part of the path. */
export function searchPath(search: Search): string {
  const [place, ...others] = search.location;
  const inPath = place !== undefined && others.length === 0;
  const path = inPath ? placePath(place) : LIST_PATH;
  const params = searchParams(search, inPath);
  return params.size > 0 ? `${path}?${params}` : path;
}

const KNOWN: readonly string[] = [
  "q",
  "sort",
  "page",
  "view",
  ...LISTS,
  ...NUMBERS,
  ...FLAGS,
  ...AREAS,
];

/**
 * Returns the canonical path of a search if the address differs from it, such as that of a form with its
 * empty fields. Unknown parameters are ignored.
 */
export function canonicalRedirect(
  url: URL,
  neutralPathname: string,
  search: Search,
): string | undefined {
  const known = new URLSearchParams([...url.searchParams].filter(([name]) => KNOWN.includes(name)));
  // The same parameters in another order are not a different address.
  known.sort();
  const current = known.size > 0 ? `${neutralPathname}?${known}` : neutralPathname;
  const canonical = searchPath(search);
  return current === canonical ? undefined : canonical;
}

/** Converts a search to the parameters of the API. */
export function apiSearch(
  search: Search,
  locale: Locale,
): NonNullable<ApiParameters<"/api/properties">["query"]> {
  return {
    ...apiFilters(search, locale),
    sort: search.sort,
    ...(search.page > 1 ? { page: search.page } : {}),
  };
}

/** Converts the filters of a search to parameters of the API, for both the list and the map. */
export function apiFilters(
  { view: _, sort: __, page: ___, ...filters }: Search,
  locale: Locale,
): Omit<NonNullable<ApiParameters<"/api/properties">["query"]>, "sort" | "page" | "perPage"> {
  const nonDefault = Object.entries(filters).filter(
    ([, value]) => value !== undefined && value !== false && value !== "" && !isEmpty(value),
  );
  return { locale, ...Object.fromEntries(nonDefault) };
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

/** Returns whether any filter besides the place is set. */
export function isNarrowed(search: Search): boolean {
  return (
    searchPath({ ...search, location: [], sort: "newest", page: 1, view: "list" }) !== LIST_PATH
  );
}
