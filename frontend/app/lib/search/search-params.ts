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
import { tidyArea, tidyBbox } from "./search-area.ts";
import { writtenBound } from "./written-bound.ts";

/** What can be asked for is what the vocabulary has a name for. */
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

/** What a list shows, as its address says it. */
export interface Search {
  q: string;
  location: string[];
  /** Places in none of which it may be. */
  excludedLocation: string[];
  propertyType: PropertyType[];
  kind: PropertyKind[];
  energy: EnergyLetter[];
  status: ListingStatus[];
  features: string[];
  /** Features none of which it may have. */
  excludedFeatures: string[];
  minPrice: number | undefined;
  maxPrice: number | undefined;
  minBedrooms: number | undefined;
  maxBedrooms: number | undefined;
  minBathrooms: number | undefined;
  minBuilt: number | undefined;
  maxBuilt: number | undefined;
  minPlot: number | undefined;
  maxPlot: number | undefined;
  /** Listed within so many days. */
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
  /** How it is shown, which changes nothing of what is found. */
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
  "excludedLocation",
  "propertyType",
  "kind",
  "energy",
  "status",
  "features",
  "excludedFeatures",
] as const satisfies readonly (keyof Search)[];

const AREAS = ["bbox", "area"] as const satisfies readonly (keyof Search)[];

/** More than any home has: a larger bound is a slip, and the API refuses it. */
const MOST: Record<(typeof NUMBERS)[number], number> = {
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

/** Bounds that stand the wrong way round are meant the right way round. */
const RANGES = [
  ["minPrice", "maxPrice"],
  ["minBedrooms", "maxBedrooms"],
  ["minBuilt", "maxBuilt"],
  ["minPlot", "maxPlot"],
] as const;

export const EVERYTHING: Search = {
  q: "",
  location: [],
  excludedLocation: [],
  propertyType: [],
  kind: [],
  energy: [],
  status: [],
  features: [],
  excludedFeatures: [],
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

/** A feature as the site writes it, which editors may have named in letters of their own. */
const FEATURE = /^[\p{L}\p{N}-]+$/u;
const MAX_TEXT_LENGTH = 100;
/** The API takes no more values of one name. */
const MAX_VALUES = 50;
/** The API has no later page. */
const LAST_PAGE = 400;

/** How many pages a list has: what lies beyond the last is found by a narrower search. */
export function pagesOf(total: number, perPage: number): number {
  return Math.min(LAST_PAGE, Math.ceil(total / perPage));
}

/** The order where none is asked for: words are answered by how well they are met. */
export function usualSort(q: string): Sort {
  return q === "" ? "newest" : "relevance";
}

/** The orders to choose from: how well words are met needs words. */
export function sortsFor(q: string): readonly Sort[] {
  return q === "" ? SORTS.filter((sort) => sort !== "relevance") : SORTS;
}

/**
 * Reads an address. What it can't mean (an unknown type, a price in words) is left out: a visitor
 * with an odd link still sees homes.
 */
export function parseSearch(params: URLSearchParams, place?: string): Search {
  const distinct = (name: string) => [...new Set(params.getAll(name))].sort();
  const written = (name: string, how = SLUG) =>
    distinct(name)
      .filter((value) => how.test(value))
      .slice(0, MAX_VALUES);
  const members = <T extends string>(name: string, all: readonly T[]) =>
    all.filter((member) => params.getAll(name).includes(member)).sort();
  const number = (name: string, most: number) => {
    const value = writtenBound(params.get(name) ?? "");
    return value > 0 && value <= most ? value : undefined;
  };
  const bounds = Object.fromEntries(
    NUMBERS.map((name) => [name, number(name, MOST[name])]),
  ) as Pick<Search, (typeof NUMBERS)[number]>;
  for (const [min, max] of RANGES) {
    const [least, most] = [bounds[min], bounds[max]];
    if (least !== undefined && most !== undefined && least > most) {
      [bounds[min], bounds[max]] = [most, least];
    }
  }
  const q = (params.get("q") ?? "").trim().replace(/\s+/g, " ").slice(0, MAX_TEXT_LENGTH);
  const sort = members("sort", SORTS)[0];
  return {
    q,
    location: place === undefined ? written("location") : [place],
    excludedLocation: written("excludedLocation"),
    propertyType: members("propertyType", PROPERTY_TYPES),
    kind: members("kind", PROPERTY_KINDS),
    energy: members("energy", energyLetters),
    status: members("status", STATUSES),
    features: written("features", FEATURE),
    excludedFeatures: written("excludedFeatures", FEATURE),
    ...bounds,
    reduced: params.get("reduced") === "true",
    featured: params.get("featured") === "true",
    newBuild: params.get("newBuild") === "true",
    bbox: tidyBbox(params.get("bbox")),
    area: tidyArea(params.get("area")),
    sort: sort === undefined || !sortsFor(q).includes(sort) ? usualSort(q) : sort,
    page: number("page", LAST_PAGE) ?? 1,
    view: params.get("view") === "map" ? "map" : "list",
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
  for (const name of AREAS) if (search[name] !== undefined) params.set(name, search[name]);
  const usual = usualSort(search.q);
  if (search.sort !== usual && sortsFor(search.q).includes(search.sort)) {
    params.set("sort", search.sort);
  }
  if (search.page > 1) params.set("page", String(search.page));
  if (search.view !== "list") params.set("view", search.view);
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
  return {
    ...apiFilters(search, locale),
    sort: search.sort,
    ...(search.page > 1 ? { page: search.page } : {}),
  };
}

/** What narrows the search, as the API is asked for it: by the list and by the map alike. */
export function apiFilters(
  { view: _, sort: __, page: ___, ...filters }: Search,
  locale: Locale,
): Omit<NonNullable<ApiParameters<"/api/properties">["query"]>, "sort" | "page" | "perPage"> {
  const given = Object.entries(filters).filter(
    ([, value]) => value !== undefined && value !== false && value !== "" && !isEmpty(value),
  );
  return { locale, ...Object.fromEntries(given) };
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

/** Whether anything narrows the list beyond its place. */
export function isNarrowed(search: Search): boolean {
  return (
    searchPath({ ...search, location: [], sort: "newest", page: 1, view: "list" }) !== LIST_PATH
  );
}
