import { matchRoutes, type RouteObject } from "react-router";
import { expect } from "vitest";
import routes from "../../app/routes.ts";
import { ask } from "./site.ts";

/** A page template: a route, and the addresses that it answers. */
export type Template = readonly [route: string, addresses: readonly string[]];

type Entries = typeof routes;

function objectsOf(entries: Entries): RouteObject[] {
  return entries.map(({ id, file, path, index, children }) => {
    const common = { id: id ?? file, ...(path === undefined ? {} : { path }) };
    return index
      ? { ...common, index: true as const }
      : { ...common, children: objectsOf(children ?? []) };
  });
}

/** Returns the routes that show a page: those without children and with a component. */
function pagesOf(entries: Entries, parent = ""): Entries {
  return entries.flatMap((entry) => {
    // The language prefix is not part of a page's name.
    const own = entry.path === "es?" ? undefined : entry.path;
    const path = [parent, own].filter(Boolean).join("/");
    if (entry.children?.length) return pagesOf(entry.children, path);
    return entry.file.endsWith(".tsx") ? [{ ...entry, ...(path && { path }) }] : [];
  });
}

/**
 * Returns every page's route with its addresses: fixed ones, the editors' pages, and examples of each kind.
 * The first of each is a page that exists.
 */
export async function everyTemplate(): Promise<Template[]> {
  const objects = objectsOf(routes);
  const pages = pagesOf(routes);
  const found = new Map(
    pages.map(({ id, file, path }) => [id ?? file, { path: path ?? "/", at: new Set<string>() }]),
  );
  const alone = pages
    .map(({ path }) => path)
    .map((path) => path?.replace(/\/:\w+\?$/, ""))
    .filter((path) => path !== undefined && !/[:*]/.test(path))
    .map((path) => `/${path}`);
  for (const address of [...alone, ...(await sitemapPages()), ...(await examples())]) {
    const [pathname = ""] = address.split("?");
    found.get(matchRoutes(objects, pathname)?.at(-1)?.route.id ?? "")?.at.add(address);
  }
  return [...found.values()].map(({ path, at }) => [path, [...at]] as const);
}

/** Returns the address of the same page in Spanish. */
export const spanish = (path: string) => `/es${path}`.replace(/\/(?=\?|$)/, "");

/** Returns the addresses in the sitemap except homes, which all have the same template. */
async function sitemapPages(): Promise<string[]> {
  const response = await ask("/api/sitemap");
  expect(response.status).toBe(200);
  const { items } = (await response.json()) as { items: { path: string }[] };
  return items.map(({ path }) => path).filter((path) => !/^\/property-for-sale\/.+\//.test(path));
}

/** Queries for homes whose pages show different parts. */
const HOME_QUERIES = [
  "status=for_sale",
  "status=under_offer",
  "status=sale_agreed",
  "status=sold",
  "reduced=true",
  "kind=garage",
  "kind=land",
  "kind=premises",
] as const;

interface Home {
  ref: string;
  price: number | null;
  images: unknown[];
  location: { slug: string };
}

const pathOf = ({ ref, location }: Home) => `/property-for-sale/${location.slug}/${ref}`;

/** Returns a home of each kind, one with its price on request, and one without photographs. */
export async function homes(): Promise<string[]> {
  const found = async (query: string, page = 1) => {
    const response = await ask(`/api/properties?locale=en&${query}&page=${page}`);
    expect([query, response.status]).toEqual([query, 200]);
    return ((await response.json()) as { items: Home[] }).items;
  };
  const kinds = await Promise.all(HOME_QUERIES.map((query) => found(query)));
  const all: Home[] = [];
  for (let page = 1; ; page++) {
    const next = await found("", page);
    all.push(...next);
    if (next.length === 0) break;
  }
  const bare = all.find(({ images }) => images.length === 0);
  const unpriced = all.find(({ price }) => price === null);
  return [...kinds.map(([first]) => first), bare, unpriced].flatMap((home) =>
    home ? [pathOf(home)] : [],
  );
}

/** Addresses of removed pages and of pages that never existed, with the status of their answers. */
export const MISSING: ReadonlyMap<string, number> = new Map([
  ["/holiday-rentals", 410],
  ["/nothing/here", 404],
]);

/** Returns examples of pages that no list of addresses has; `looksOf` says how each is checked. */
export async function examples(): Promise<string[]> {
  return [
    ...(await homes()),
    "/property-for-sale",
    "/property-for-sale/nerja",
    "/property-for-sale?propertyType=House&page=2",
    "/property-for-sale?features=pool&maxPrice=400000&minBedrooms=2",
    "/property-for-sale?q=nothing-is-called-so",
    "/property-for-sale?view=map",
    "/account/compare",
    "/account/recent",
    "/account/hidden",
    ...MISSING.keys(),
  ];
}
